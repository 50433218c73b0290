import type { QueueTask, Rollup, RollupAuth } from '../chain/chain.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { BaseReads } from './base-reads.ts';
import type { CallClient } from './call-client.ts';
import type { ChainCalls, RemoteRollupFacts } from './chain-calls.ts';
import { unpackAccounts } from './packed-accounts.ts';
import { RemoteClient } from './remote-client.ts';

/** The rollup in the process of the ledger, for the payment operations of a worker. */
export class RemoteRollup extends RemoteClient implements Rollup {
  readonly publicUrl: string | null;
  readonly auth: RollupAuth | null;
  readonly hidesStatuses: boolean;
  readonly keepsHolders: boolean;
  readonly isSettling?: (eata: Address) => Promise<boolean>;
  readonly queueTask?: (queue: Address) => Promise<QueueTask>;
  readonly #identity: Address;
  readonly #client: CallClient<ChainCalls>;

  constructor(facts: RemoteRollupFacts, client: CallClient<ChainCalls>, reads: BaseReads) {
    super('rollup', client);
    this.publicUrl = facts.publicUrl;
    this.auth = facts.hasAuth ? remoteAuth(client) : null;
    this.hidesStatuses = facts.hidesStatuses;
    this.keepsHolders = facts.keepsHolders;
    if (facts.tellsSettling) this.isSettling = (eata) => reads.isSettling(eata);
    if (facts.tellsQueueTasks) this.queueTask = (queue) => client.call('queueTask', queue);
    this.#identity = facts.identity;
    this.#client = client;
  }

  async identity(): Promise<Address> {
    return this.#identity;
  }

  async getAccounts(addresses: readonly Address[], token?: string): Promise<readonly (Account | null)[]> {
    return unpackAccounts(await this.#client.call('rollupAccounts', addresses.join(), token));
  }
}

function remoteAuth(client: CallClient<ChainCalls>): RollupAuth {
  return {
    challenge: (owner) => client.call('challenge', owner),
    login: (proof) => client.call('login', proof),
    authorizedUsers: (account, token) => client.call('authorizedUsers', account, token),
  };
}
