import type { AccountSearch, Chain, FoundAccount, Layout, Rollup } from '../chain/chain.ts';
import { USDC_MINT } from '../programs/addresses.ts';
import { isAddressAt, type Address } from '../solana/address.ts';
import { InProcessClient } from './in-process-client.ts';
import type { Ledger } from './ledger.ts';

/** What else there is to know of an embedded ledger. */
interface LedgerChainFacts {
  /** Of the programs that it runs; layout A when left out. */
  readonly layout?: Layout;
  /** The operator's choice; none when left out. */
  readonly transferLookupTable?: Address | null;
}

/** An embedded ledger as a base chain for the payment operations. */
export class LedgerChain extends InProcessClient implements Chain {
  readonly cluster: string;
  readonly network = 'localnet';
  readonly layout: Layout;
  readonly defaultMint: Address = USDC_MINT;
  readonly transferLookupTable: Address | null;
  readonly rollup: Rollup | null;
  readonly #ledger: Pick<Ledger, 'programAccounts'>;
  readonly #validator: Address;

  /** `validator` is the identity whose rollup serves this ledger, unless `rollup` is there to tell it. */
  constructor(
    cluster: string,
    ledger: Ledger,
    validator: Address,
    rollup: Rollup | null = null,
    { layout = 'a', transferLookupTable = null }: LedgerChainFacts = {},
  ) {
    super(ledger);
    this.cluster = cluster;
    this.rollup = rollup;
    this.#ledger = ledger;
    this.layout = layout;
    this.transferLookupTable = transferLookupTable;
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
