import { signatureOf } from '../../ledger/run/account-keys.ts';
import { allAccountKeys } from '../../ledger/run/account-keys.ts';
import type { Block } from '../../ledger/block.ts';
import type { Simulation, TransactionRecord } from '../../ledger/execution.ts';
import { ForwardedBlocks } from '../../ledger/forwarded-blocks.ts';
import type { LedgerListener } from '../../ledger/ledger-events.ts';
import {
  PREFLIGHT,
  type Ledger,
  type SignatureQuery,
  type SimulateOptions,
  type Submission,
  type SubmitOptions,
  type TokenAccountQuery,
  type TransactionStatus,
} from '../../ledger/ledger.ts';
import { SteadyEntries } from '../../ledger/state/steady-entries.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { isOfBooks, ROLLUP_BOOKS } from '../books/books-address.ts';
import { exposedGuards } from './exposure.ts';
import { keptFromRun, type KeptFromRun } from './kept-from-run.ts';
import type { AccessGuard, Reader } from './guard.ts';
import type { Guards } from './guards.ts';
import type { HistoryNames } from './history-names.ts';
import { historySources } from './history-sources.ts';
import { showEvent } from './shown-event.ts';
import { showHistory } from './shown-history.ts';
import { hideBalances, isNamed, mayRead, showRecord } from './shown-record.ts';
import { signersOf } from './transaction-keys.ts';
import { refusedRun, UNREADABLE } from './refused-run.ts';

/**
 * A ledger as one reader may see it: accounts that are not theirs to read are absent, in whatever way they
 * are looked for, and transactions that are not theirs to know of have not happened. How many transactions
 * there are is told to all.
 */
export class LedgerView extends ForwardedBlocks<Ledger> implements Ledger {
  readonly #guards: Guards;
  readonly #names: HistoryNames;
  readonly #reader: Reader;

  /** @param names what the transactions of `ledger` are listed under. */
  constructor(ledger: Ledger, guards: Guards, names: HistoryNames, reader: Reader) {
    super(ledger);
    this.#guards = guards;
    this.#names = names;
    this.#reader = reader;
  }

  getAccount(address: Address): Account | null {
    // Read in any case: what is hidden takes as long as what is not there.
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
   * A transaction that would bring to light what the reader may not read runs only when somebody who may has
   * signed it; otherwise it fails as if the accounts were not there. What they signed is good for one run
   * soon: its own blockhash counts, whatever `options` say, so that one that has landed or expired tells
   * nothing of how things stand now.
   */
  simulate(transaction: Transaction, options: SimulateOptions): Simulation {
    const unread = this.#unread(transaction);
    if (unread.length === 0) {
      const isChecked = options.verifySignatures && this.#expires(transaction);
      const instead = this.#insteadFor(transaction, isChecked ? signersOf(transaction) : []);
      return this.#show(transaction, this.ledger.simulate(transaction, { ...options, instead }));
    }
    if (!isVouchedFor(transaction, unread)) return refusedRun(this, options, UNREADABLE);
    const instead = this.#insteadFor(transaction, signersOf(transaction));
    const asSigned = { verifySignatures: true, replaceBlockhash: false, instead };
    const run = this.ledger.simulate(transaction, asSigned);
    if (run.err === 'SignatureFailure') {
      return options.verifySignatures ? this.#show(transaction, run) : refusedRun(this, options, UNREADABLE);
    }
    return this.#expires(transaction)
      ? this.#show(transaction, run)
      : refusedRun(this, asSigned, 'BlockhashNotFound');
  }

  /**
   * As {@link simulate}; the ledger itself checks the signatures. What lands depends on who signed it, and
   * not on who hands it in.
   */
  async submit(transaction: Transaction, { preflight = null }: SubmitOptions = {}): Promise<Submission> {
    const unread = this.#unread(transaction);
    const isVouched = isVouchedFor(transaction, unread);
    if (isVouched && (unread.length === 0 || this.#expires(transaction))) {
      const { absent, empty } = this.#keptFrom(transaction, signersOf(transaction));
      if (empty.length === 0) {
        return await this.ledger.submit(transaction, {
          preflight: preflight && ((run) => preflight(this.#show(transaction, run))),
          instead: absent,
        });
      }
      // It runs on the queue as it is; what is told beforehand is told of an empty one.
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
   * Told to whoever knows the signature. Of a private transaction that is who signed it, or was shown it; and
   * a sender without a token who took one that has landed for one that never will would pay twice.
   */
  signatureStatus(signature: string): TransactionStatus | null {
    return this.ledger.signatureStatus(signature);
  }

  signaturesFor(query: SignatureQuery): readonly TransactionRecord[] {
    return [...this.historyOf(query)].filter((record) => record !== null);
  }

  historyOf({ address, ...page }: SignatureQuery): Iterable<TransactionRecord | null> {
    // Of an account that exists on the rollup only nothing may tell that it is there: whoever may not read it
    // is shown what they would be of an address that has nothing.
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

  /** Closes nothing: the ledger is not the view's. */
  async close(): Promise<void> {}

  #mayRead(address: Address): boolean {
    return mayRead(address, this.#reader, this.#guards);
  }

  #readable(accounts: Iterable<readonly [Address, Account]>): Iterable<readonly [Address, Account]> {
    return accounts instanceof SteadyEntries
      ? accounts.where(() => this.#readableFromNow())
      : this.#readableOf(accounts);
  }

  *#readableOf(accounts: Iterable<readonly [Address, Account]>): Iterable<readonly [Address, Account]> {
    for (const entry of accounts) if (this.#mayRead(entry[0])) yield entry;
  }

  /** What may be read now, as long as it may: an account of this moment is as private as it is now. */
  #readableFromNow(): (address: Address) => boolean {
    const unreadable = new Set<Address>();
    for (const [address] of this.#guards.entries()) if (!this.#mayRead(address)) unreadable.add(address);
    return (address) => !unreadable.has(address) && this.#mayRead(address);
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

  /**
   * Whether a recent blockhash makes it run once and soon. With a durable nonce it could be tried for ever.
   */
  #expires({ wire, blockhashAt }: Transaction): boolean {
    return this.ledger.isBlockhashValid(encodeBase58(wire.subarray(blockhashAt, blockhashAt + 32)));
  }

  /** @param readers who may know of what the transaction names. */
  #keptFrom(transaction: Transaction, readers: readonly Reader[]): KeptFromRun {
    return keptFromRun(transaction, readers, this.#guards, this.ledger);
  }

  #insteadFor(
    transaction: Transaction,
    signers: readonly Address[],
  ): NonNullable<SimulateOptions['instead']> {
    const { absent, empty } = this.#keptFrom(transaction, [this.#reader, ...signers]);
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

/** Whether of every one of these accounts a reader is among those who sign. */
function isVouchedFor(transaction: Transaction, guards: readonly AccessGuard[]): boolean {
  const signers = signersOf(transaction);
  return guards.every((guard) => signers.some((signer) => guard.allows(signer, 'balances')));
}
