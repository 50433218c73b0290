import type {
  AccountSearch,
  Chain,
  FoundAccount,
  LatestBlockhash,
  Layout,
  Network,
  Rollup,
  SendOptions,
  SignatureStatus,
  SimulationResult,
} from '../chain/chain.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { BaseReads } from './base-reads.ts';
import type { CallClient } from './call-client.ts';
import type { ChainCalls, RemoteChainFacts } from './chain-calls.ts';
import { splitAddresses } from './joined-addresses.ts';
import { unpackAccounts } from './packed-accounts.ts';
import { RemoteClient } from './remote-client.ts';

/**
 * The chain in the process of the ledger, for the payment operations of a worker. A caller's token is for the
 * rollup: base is asked without it, as over a network.
 */
export class RemoteChain implements Chain {
  readonly cluster: string;
  readonly network: Network;
  readonly layout: Layout;
  readonly defaultMint: Address;
  readonly transferLookupTable: Address | null;
  readonly rollup: Rollup | null;
  readonly searchAccounts?: (search: AccountSearch) => Promise<readonly FoundAccount[]>;
  readonly #validator: Address;
  readonly #reads: BaseReads;
  readonly #node: RemoteClient;

  /** `rollup` is the one on top, in the process of the ledger or elsewhere. */
  constructor(
    facts: RemoteChainFacts,
    rollup: Rollup | null,
    client: CallClient<ChainCalls>,
    reads: BaseReads,
  ) {
    this.cluster = facts.cluster;
    this.network = facts.network;
    this.layout = facts.layout;
    this.defaultMint = facts.defaultMint;
    this.transferLookupTable = facts.transferLookupTable;
    this.rollup = rollup;
    this.#validator = facts.validator;
    this.#reads = reads;
    this.#node = new RemoteClient('base', client);
    if (facts.isSearchable) this.searchAccounts = (search) => searchBy(client, search);
  }

  async getAccounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    return await this.#reads.accounts(addresses);
  }

  async latestBlockhash(): Promise<LatestBlockhash> {
    return await this.#reads.latestBlockhash();
  }

  blockHeight(): Promise<number> {
    return this.#node.blockHeight();
  }

  isBlockhashValid(blockhash: string): Promise<boolean> {
    return this.#node.isBlockhashValid(blockhash);
  }

  async validatorIdentity(): Promise<Address> {
    return this.rollup === null ? this.#validator : await this.rollup.identity();
  }

  simulateTransaction(wire: Uint8Array, watch: readonly Address[]): Promise<SimulationResult> {
    return this.#node.simulateTransaction(wire, watch);
  }

  sendTransaction(wire: Uint8Array, token?: string, options?: SendOptions): Promise<string> {
    return this.#node.sendTransaction(wire, token, options);
  }

  signatureStatus(signature: string): Promise<SignatureStatus | null> {
    return this.#node.signatureStatus(signature);
  }
}

async function searchBy(client: CallClient<ChainCalls>, search: AccountSearch): Promise<FoundAccount[]> {
  const [addresses, packed] = await client.call('searchAccounts', search);
  const accounts = unpackAccounts(packed);
  return splitAddresses(addresses).map((address, at) => ({ address, account: accounts[at] as Account }));
}
