import type {
  AccountSearch,
  Chain,
  FoundAccount,
  LatestBlockhash,
  Layout,
  LedgerClient,
  Rollup,
  SendOptions,
  SignatureStatus,
  SimulationResult,
} from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { USDC_MINT } from '../programs/addresses.ts';
import type { Account } from '../solana/account.ts';
import { type Address, isAddressAt } from '../solana/address.ts';
import { decodeTransaction, type Transaction, WireError } from '../solana/transaction.ts';
import { type Ledger, type Preflight, TransactionRejected } from './ledger.ts';
import { describeTransactionError, type TransactionError } from './transaction-errors.ts';

/** A client of a ledger in this process, for the payment operations. */
export class InProcessClient implements LedgerClient {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  async getAccounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    return addresses.map((address) => this.#ledger.getAccount(address));
  }

  async latestBlockhash(): Promise<LatestBlockhash> {
    const { blockhash, lastValidBlockHeight } = this.#ledger.head();
    return { blockhash, lastValidBlockHeight };
  }

  /** Returns the height of the last finished block, which a node reports at `confirmed`. */
  async blockHeight(): Promise<number> {
    return this.#ledger.finishedHead().blockHeight;
  }

  async isBlockhashValid(blockhash: string): Promise<boolean> {
    return this.#ledger.isBlockhashValid(blockhash);
  }

  async lastHeightOf(blockhash: string): Promise<number | null> {
    return this.#ledger.lastHeightOf(blockhash);
  }

  async simulateTransaction(wire: Uint8Array, watch: readonly Address[]): Promise<SimulationResult> {
    const transaction = decode(wire);
    const run = refusing(() =>
      this.#ledger.simulate(transaction, { verifySignatures: false, replaceBlockhash: true }),
    );
    return {
      err: run.err,
      logs: run.logs,
      computeUnits: run.computeUnits,
      accounts: run.err === null ? watch.map((address) => run.accountAfter(address)) : null,
    };
  }

  /** Runs the transaction immediately, without retries. */
  async sendTransaction(wire: Uint8Array, _token?: string, options?: SendOptions): Promise<string> {
    const transaction = decode(wire);
    const preflight: Preflight = ({ err }) => {
      if (err !== null) throw refused(err);
    };
    const checks = options?.skipPreflight === true ? {} : { preflight };
    const { signature } = await this.#ledger.submit(transaction, checks).catch(throwRefusal);
    return signature;
  }

  async signatureStatus(signature: string): Promise<SignatureStatus | null> {
    const record = this.#ledger.getTransaction(signature);
    return record === null ? null : { slot: record.slot, err: record.err };
  }
}

interface LedgerChainFacts {
  /** Layout of the ledger's programs; default layout A. */
  readonly layout?: Layout;
  /** The lookup table of private transfers; none by default. */
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

  /** @param validator the identity of this ledger's rollup, used if `rollup` is null. */
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

function decode(wire: Uint8Array): Transaction {
  try {
    return decodeTransaction(wire);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new ServiceError('INVALID_TRANSACTION', `The bytes are not a Solana transaction: ${error.message}`);
  }
}

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throwRefusal(error);
  }
}

function throwRefusal(error: unknown): never {
  throw error instanceof TransactionRejected ? refused(error.reason) : error;
}

function refused(err: TransactionError): ServiceError {
  const reason = typeof err === 'string' ? err : JSON.stringify(err);
  const words = describeTransactionError(err);
  return new ServiceError('TRANSACTION_FAILED', `The ledger rejected the transaction: ${words}`, { reason });
}
