import type { AccountSearch, Chain, FoundAccount, Layout, Rollup } from '../chain/chain.ts';
import { USDC_MINT } from '../programs/addresses.ts';
import { isAddressAt, type Address } from '../solana/address.ts';
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
  readonly #ledger: Pick<Ledger, 'programAccounts'>;
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
    this.#ledger = ledger;
    this.layout = layout;
    this.#validator = validator;
  }

  async searchAccounts({ program, byteCount, having }: AccountSearch): Promise<FoundAccount[]> {
    const found: FoundAccount[] = [];
    for (const [address, account] of this.#ledger.programAccounts(program)) {
      if (account.data.length !== byteCount) continue;
      if (having !== undefined && !isAddressAt(account.data, having.offset, having.address)) continue;
      found.push({ address, account });
    }
    return found;
  }

  async validatorIdentity(): Promise<Address> {
    return this.rollup === null ? this.#validator : await this.rollup.identity();
  }
}
