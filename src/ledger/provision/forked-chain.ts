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
} from '../../chain/chain.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction, WireError } from '../../solana/transaction.ts';
import type { Fork } from './fork.ts';

/** The chain of a forked ledger: accounts that are read or named in a transaction are copied first. */
export class ForkedChain implements Chain {
  readonly cluster: string;
  readonly network: Network;
  readonly layout: Layout;
  readonly rollup: Rollup | null;
  readonly defaultMint: Address;
  readonly transferLookupTable: Address | null;
  /** Finds what was copied or made here: nobody looks through the ledger that the fork is of. */
  readonly searchAccounts?: (search: AccountSearch) => Promise<readonly FoundAccount[]>;
  readonly #chain: Chain;
  readonly #fork: Fork;

  constructor(chain: Chain, fork: Fork) {
    this.cluster = chain.cluster;
    this.network = chain.network;
    this.layout = chain.layout;
    this.rollup = chain.rollup;
    this.defaultMint = chain.defaultMint;
    this.transferLookupTable = chain.transferLookupTable;
    if (chain.searchAccounts) this.searchAccounts = chain.searchAccounts.bind(chain);
    this.#chain = chain;
    this.#fork = fork;
  }

  async getAccounts(addresses: readonly Address[], token?: string): Promise<readonly (Account | null)[]> {
    await this.#fork.ensure(addresses);
    return await this.#chain.getAccounts(addresses, token);
  }

  latestBlockhash(token?: string): Promise<LatestBlockhash> {
    return this.#chain.latestBlockhash(token);
  }

  blockHeight(token?: string): Promise<number> {
    return this.#chain.blockHeight(token);
  }

  isBlockhashValid(blockhash: string, token?: string): Promise<boolean> {
    return this.#chain.isBlockhashValid(blockhash, token);
  }

  validatorIdentity(): Promise<Address> {
    return this.#chain.validatorIdentity();
  }

  async simulateTransaction(
    wire: Uint8Array,
    watch: readonly Address[],
    token?: string,
  ): Promise<SimulationResult> {
    await this.#copyNamed(wire, watch);
    return await this.#chain.simulateTransaction(wire, watch, token);
  }

  async sendTransaction(wire: Uint8Array, token?: string, options?: SendOptions): Promise<string> {
    await this.#copyNamed(wire, []);
    return await this.#chain.sendTransaction(wire, token, options);
  }

  signatureStatus(signature: string, token?: string): Promise<SignatureStatus | null> {
    return this.#chain.signatureStatus(signature, token);
  }

  async #copyNamed(wire: Uint8Array, others: readonly Address[]): Promise<void> {
    try {
      const { staticKeys, lookups } = decodeTransaction(wire);
      await this.#fork.ensure([...staticKeys, ...others, ...lookups.map(({ table }) => table)], lookups);
    } catch (error) {
      // An undecodable transaction is left to the chain, which reports the error.
      if (!(error instanceof WireError)) throw error;
    }
  }
}
