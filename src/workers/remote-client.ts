import type { LatestBlockhash, SendOptions, SignatureStatus, SimulationResult } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import type { CallClient } from './call-client.ts';
import type { ChainCalls, Place } from './chain-calls.ts';
import { unpackAccounts } from './packed-accounts.ts';

/** What the two ledgers of a cluster in the process of the ledger have in common for a worker. */
export class RemoteClient {
  readonly #place: Place;
  readonly #client: CallClient<ChainCalls>;

  constructor(place: Place, client: CallClient<ChainCalls>) {
    this.#place = place;
    this.#client = client;
  }

  latestBlockhash(token?: string): Promise<LatestBlockhash> {
    return this.#client.call('latestBlockhash', this.#place, token);
  }

  blockHeight(token?: string): Promise<number> {
    return this.#client.call('blockHeight', this.#place, token);
  }

  isBlockhashValid(blockhash: string, token?: string): Promise<boolean> {
    return this.#client.call('isBlockhashValid', this.#place, blockhash, token);
  }

  async simulateTransaction(
    wire: Uint8Array,
    watch: readonly Address[],
    token?: string,
  ): Promise<SimulationResult> {
    const run = await this.#client.call('simulateTransaction', this.#place, wire, watch, token);
    return { ...run, accounts: run.accounts && unpackAccounts(run.accounts) };
  }

  sendTransaction(wire: Uint8Array, token?: string, options?: SendOptions): Promise<string> {
    return this.#client.call('sendTransaction', this.#place, wire, token, options);
  }

  signatureStatus(signature: string, token?: string): Promise<SignatureStatus | null> {
    return this.#client.call('signatureStatus', this.#place, signature, token);
  }
}
