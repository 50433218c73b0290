import type { Chain, LatestBlockhash, Layout } from '../chain/chain.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Ledger } from './ledger.ts';

/** An embedded ledger as a base chain for the payment operations: no network, no waiting. */
export class LedgerChain implements Chain {
  readonly cluster: string;
  readonly layout: Layout = 'a';
  readonly #ledger: Ledger;
  readonly #validator: Address;

  /** `validator` is the identity whose rollup serves this ledger. */
  constructor(cluster: string, ledger: Ledger, validator: Address) {
    this.cluster = cluster;
    this.#ledger = ledger;
    this.#validator = validator;
  }

  async getAccounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    return addresses.map((address) => this.#ledger.getAccount(address));
  }

  async latestBlockhash(): Promise<LatestBlockhash> {
    const { blockhash, lastValidBlockHeight } = this.#ledger.head();
    return { blockhash, lastValidBlockHeight };
  }

  async validatorIdentity(): Promise<Address> {
    return this.#validator;
  }
}
