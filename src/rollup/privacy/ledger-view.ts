import { ForwardedBlocks } from '../../ledger/forwarded-reads.ts';
import type { LedgerListener } from '../../ledger/ledger-events.ts';
import {
  type Block,
  type Ledger,
  PREFLIGHT,
  type SignatureQuery,
  type SimulateOptions,
  type Simulation,
  type Submission,
  type SubmitOptions,
  type TokenAccountQuery,
  type TransactionRecord,
  type TransactionStatus,
} from '../../ledger/ledger.ts';
import { allAccountKeys, signatureOf } from '../../ledger/run/account-keys.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { isOfBooks, ROLLUP_BOOKS } from '../books/item.ts';
import type { AccessGuard, Guards, Reader } from './guards.ts';
import {
  exposedGuards,
  hiddenAccounts,
  type HiddenAccounts,
  refusedRun,
  signersOf,
  UNREADABLE,
  validSigners,
} from './private-runs.ts';
import { type HistoryNames, historySources, showHistory } from './shown-history.ts';
import { hideBalances, isNamed, mayRead, showEvent, showRecord } from './shown-record.ts';

/**
 * A ledger as one reader sees it. Queries omit accounts the reader may not read, and hidden transactions. The
 * total number of transactions is public.
 */
export class LedgerView extends ForwardedBlocks<Ledger> implements Ledger {
  readonly #guards: Guards;
  readonly #names: HistoryNames;
  readonly #reader: Reader;

  /** @param names the names under which the history of `ledger` lists transactions. */
  constructor(ledger: Ledger, guards: Guards, names: HistoryNames, reader: Reader) {
    super(ledger);
    this.#guards = guards;
    this.#names = names;
    this.#reader = reader;
  }

  getAccount(address: Address): Account | null {
    // Always read the account, so hidden and absent accounts take the same time.
    const account = this.ledger.getAccount(address);
    return this.#mayRead(address) ? account : null;
  }

  accountCount(): number {
    let count = this.ledger.accountCount();
    for (const _ of this.#hiddenAccounts()) count--;
    return count;
  }

  totalLamports(): bigint {
    let total = this.ledger.totalLamports();
    for (const { lamports } of this.#hiddenAccounts()) total -= lamports;
    return total;
  }

  accounts(): Iterable<readonly [Address, Account]> {
    return this.#readable(this.ledger.accounts());
  }

  programAccounts(program: Address): Iterable<readonly [Address, Account]> {
    return this.#readable(this.ledger.programAccounts(program));
  }

  tokenAccounts(query: TokenAccountQuery): Iterable<readonly [Address, Account]> {
    return this.#readable(this.ledger.tokenAccounts(query));
  }

  /**
   * Simulates a transaction for the reader. If it would reveal accounts the reader may not read, someone who
   * may read them must have signed it. Otherwise it fails as if the accounts were absent. Its blockhash must
   * then be valid, regardless of `options`, so an old signature reveals nothing about the present state.
   *
   * If `options` does not verify signatures, only valid ones count. The others may be missing, such as that
   * of a sponsor who signs last. The run then depends only on accounts that the reader, or someone who has
   * validly signed, may read. So it reveals nothing about other signers, even to programs that trust them.
   */
  simulate(transaction: Transaction, options: SimulateOptions): Simulation {
    const unread = this.#unread(transaction);
    const { verifySignatures } = options;
    if (unread.length === 0) {
      const isChecked = verifySignatures && this.#expires(transaction);
      const instead = this.#insteadFor(transaction, isChecked ? signersOf(transaction) : []);
      return this.#show(transaction, this.ledger.simulate(transaction, { ...options, instead }));
    }
    // Whether accounts exist does not change the number of checks, and thus the time of a refusal.
    const signers = verifySignatures ? signersOf(transaction) : validSigners(transaction);
    if (!isVouchedFor(unread, signers)) return refusedRun(this, options, UNREADABLE);
    const instead = this.#insteadFor(transaction, signers);
    const asSigned = { verifySignatures, replaceBlockhash: false, instead };
    const run = this.ledger.simulate(transaction, asSigned);
    return run.err === 'SignatureFailure' || this.#expires(transaction)
      ? this.#show(transaction, run)
      : refusedRun(this, asSigned, 'BlockhashNotFound');
  }

  /**
   * Submits a transaction under the rules of {@link simulate} with verified signatures. The result depends on
   * the signers, not on the submitter.
   */
  async submit(transaction: Transaction, { preflight = null }: SubmitOptions = {}): Promise<Submission> {
    const unread = this.#unread(transaction);
    const isVouched = isVouchedFor(unread, signersOf(transaction));
    if (isVouched && (unread.length === 0 || this.#expires(transaction))) {
      const { absent, empty } = this.#hiddenFrom(transaction, signersOf(transaction));
      if (empty.length === 0) {
        return await this.ledger.submit(transaction, {
          preflight: preflight && ((run) => preflight(this.#show(transaction, run))),
          instead: absent,
        });
      }
      // The transaction runs on the real queue, but its preflight sees an empty queue.
      preflight?.(this.simulate(transaction, PREFLIGHT));
      return await this.ledger.submit(transaction, { instead: absent });
    }
    preflight?.(this.simulate(transaction, PREFLIGHT));
    return {
      signature: signatureOf(transaction),
      err: isVouched ? 'BlockhashNotFound' : UNREADABLE,
      landed: false,
    };
  }

  getTransaction(signature: string): TransactionRecord | null {
    const record = this.ledger.getTransaction(signature);
    return record && this.#showRecord(record);
  }

  /**
   * Returns the status to anyone who knows the signature. Otherwise a sender without a token could mistake a
   * landed payment for a lost one and pay twice.
   */
  signatureStatus(signature: string): TransactionStatus | null {
    return this.ledger.signatureStatus(signature);
  }

  signaturesFor(query: SignatureQuery): readonly TransactionRecord[] {
    return [...this.historyOf(query)].filter((record) => record !== null);
  }

  historyOf({ address, ...page }: SignatureQuery): Iterable<TransactionRecord | null> {
    // The existence of an account that exists only on the rollup is secret. Those who may not read it get the
    // same result as for an unused address.
    const guard = this.#guards.isEphemeral(address) ? undefined : this.#guards.get(address);
    if (guard !== undefined && !guard.allows(this.#reader, 'signatures')) return [];
    const lookup = { ledger: this.ledger, guards: this.#guards, names: this.#names };
    return showHistory(this.ledger, page, {
      sources: historySources(address, this.#reader, lookup),
      isPart: (record) => isNamed(address, record),
      show: (record) => this.#showRecord(record),
    });
  }

  block(slot: number): Block | null {
    const block = this.ledger.block(slot);
    if (block === null) return null;
    const transactions = block.transactions.map((record) => this.#showRecord(record));
    return { ...block, transactions: transactions.filter((record) => record !== null) };
  }

  subscribe(listener: LedgerListener): () => void {
    return this.ledger.subscribe((event) => {
      const seen = showEvent(event, this.#reader, this.#guards, this.ledger);
      if (seen !== null) listener(seen);
    });
  }

  airdrop(owner: Address, lamports: bigint): Promise<string> {
    return this.ledger.airdrop(owner, lamports);
  }

  airdropTokens(owner: Address, mint: Address, amount: bigint): Promise<string> {
    return this.ledger.airdropTokens(owner, mint, amount);
  }

  /** Does nothing, because the view does not own the ledger. */
  async close(): Promise<void> {}

  #mayRead(address: Address): boolean {
    return mayRead(address, this.#reader, this.#guards);
  }

  *#readable(accounts: Iterable<readonly [Address, Account]>): Iterable<readonly [Address, Account]> {
    for (const entry of accounts) if (this.#mayRead(entry[0])) yield entry;
  }

  *#hiddenAccounts(): Iterable<Account> {
    for (const [address, guard] of this.#guards.entries()) {
      const account = guard.allows(this.#reader, 'balances') ? null : this.ledger.getAccount(address);
      if (account !== null) yield account;
    }
    for (const [address, account] of this.ledger.programAccounts(ROLLUP_BOOKS)) {
      if (isOfBooks(address)) yield account;
    }
  }

  /** Whether a recent blockhash limits the transaction to one run. A durable nonce would allow many. */
  #expires({ wire, blockhashAt }: Transaction): boolean {
    return this.ledger.isBlockhashValid(encodeBase58(wire.subarray(blockhashAt, blockhashAt + 32)));
  }

  /** @param readers the wallets that may see the accounts of the transaction. */
  #hiddenFrom(transaction: Transaction, readers: readonly Reader[]): HiddenAccounts {
    return hiddenAccounts(transaction, readers, this.#guards, this.ledger);
  }

  #insteadFor(
    transaction: Transaction,
    signers: readonly Address[],
  ): NonNullable<SimulateOptions['instead']> {
    const { absent, empty } = this.#hiddenFrom(transaction, [this.#reader, ...signers]);
    return [...absent, ...empty];
  }

  #unread(transaction: Transaction): readonly AccessGuard[] {
    const exposed = exposedGuards(transaction, this.ledger, this.#guards);
    return exposed.filter((guard) => !guard.allows(this.#reader, 'balances'));
  }

  #showRecord(record: TransactionRecord): TransactionRecord | null {
    return showRecord(record, this.#reader, this.#guards, this.ledger);
  }

  #show(transaction: Transaction, run: Simulation): Simulation {
    const keys = allAccountKeys(transaction, run.loadedAddresses);
    return {
      ...run,
      ...hideBalances(run, keys, this.#reader, this.#guards),
      accountAfter: (address) => (this.#mayRead(address) ? run.accountAfter(address) : null),
    };
  }
}

/** Whether each of these accounts has a reader among the signers. */
const isVouchedFor = (guards: readonly AccessGuard[], signers: readonly Address[]): boolean =>
  guards.every((guard) => signers.some((signer) => guard.allows(signer, 'balances')));
