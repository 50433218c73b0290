import type { Rollup, RollupAuth } from '../chain/chain.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { BaseReads } from './base-reads.ts';
import type { Caller } from './caller.ts';
import type { ChainCalls, RollupFacts } from './chain-calls.ts';
import { unpackAccounts } from './packed-accounts.ts';
import { RemoteNode } from './remote-node.ts';

/** The rollup in the process of the ledger, for the payment operations of a worker. */
export class RemoteRollup extends RemoteNode implements Rollup {
  readonly publicUrl: string | null;
  readonly auth: RollupAuth | null;
  readonly hidesStatuses: boolean;
  readonly keepsHolders: boolean;
  readonly isSettling?: (eata: Address) => Promise<boolean>;
  readonly #identity: Address;
  readonly #caller: Caller<ChainCalls>;

  constructor(facts: RollupFacts, caller: Caller<ChainCalls>, reads: BaseReads) {
    super('rollup', caller);
    this.publicUrl = facts.publicUrl;
    this.auth = facts.hasAuth ? remoteAuth(caller) : null;
    this.hidesStatuses = facts.hidesStatuses;
    this.keepsHolders = facts.keepsHolders;
    if (facts.tellsSettling) this.isSettling = (eata) => reads.isSettling(eata);
    this.#identity = facts.identity;
    this.#caller = caller;
  }

  async identity(): Promise<Address> {
    return this.#identity;
  }

  async getAccounts(addresses: readonly Address[], token?: string): Promise<readonly (Account | null)[]> {
    return unpackAccounts(await this.#caller.call('rollupAccounts', addresses.join(), token));
  }
}

function remoteAuth(caller: Caller<ChainCalls>): RollupAuth {
  return {
    challenge: (owner) => caller.call('challenge', owner),
    login: (proof) => caller.call('login', proof),
    authorizedUsers: (account, token) => caller.call('authorizedUsers', account, token),
  };
}
