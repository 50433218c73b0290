import type { LatestBlockhash, SignatureStatus, TrialRun } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import type { Caller } from './caller.ts';
import type { ChainCalls, Place } from './chain-calls.ts';
import { unpackAccounts } from './packed-accounts.ts';

/** What the two ledgers of a cluster in the process of the ledger have in common for a worker. */
export class RemoteNode {
  readonly #place: Place;
  readonly #caller: Caller<ChainCalls>;

  constructor(place: Place, caller: Caller<ChainCalls>) {
    this.#place = place;
    this.#caller = caller;
  }

  latestBlockhash(token?: string): Promise<LatestBlockhash> {
    return this.#caller.call('latestBlockhash', this.#place, token);
  }

  blockHeight(token?: string): Promise<number> {
    return this.#caller.call('blockHeight', this.#place, token);
  }

  isBlockhashValid(blockhash: string, token?: string): Promise<boolean> {
    return this.#caller.call('isBlockhashValid', this.#place, blockhash, token);
  }

  async tryTransaction(wire: Uint8Array, watch: readonly Address[], token?: string): Promise<TrialRun> {
    const run = await this.#caller.call('tryTransaction', this.#place, wire, watch, token);
    return { ...run, accounts: run.accounts && unpackAccounts(run.accounts) };
  }

  sendTransaction(wire: Uint8Array, token?: string): Promise<string> {
    return this.#caller.call('sendTransaction', this.#place, wire, token);
  }

  signatureStatus(signature: string, token?: string): Promise<SignatureStatus | null> {
    return this.#caller.call('signatureStatus', this.#place, signature, token);
  }
}
