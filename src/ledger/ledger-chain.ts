import type { Chain, Layout, Rollup } from '../chain/chain.ts';
import { USDC_MINT } from '../programs/addresses.ts';
import type { Address } from '../solana/address.ts';
import { InProcessClient } from './in-process-client.ts';
import type { Ledger } from './ledger.ts';

/** An embedded ledger as a base chain for the payment operations. */
export class LedgerChain extends InProcessClient implements Chain {
  readonly cluster: string;
  readonly network = 'localnet';
  readonly layout: Layout;
  readonly defaultMint: Address = USDC_MINT;
  readonly transferLookupTable = null;
  readonly rollup: Rollup | null;
  readonly #validator: Address;

  /**
   * `validator` is the identity whose rollup serves this ledger, unless `rollup` is there to tell it. The
   * layout is that of the programs it runs; layout A when left out.
   */
  constructor(
    cluster: string,
    ledger: Ledger,
    validator: Address,
    rollup: Rollup | null = null,
    layout: Layout = 'a',
  ) {
    super(ledger);
    this.cluster = cluster;
    this.rollup = rollup;
    this.layout = layout;
    this.#validator = validator;
  }

  async validatorIdentity(): Promise<Address> {
    return this.rollup === null ? this.#validator : await this.rollup.identity();
  }
}
