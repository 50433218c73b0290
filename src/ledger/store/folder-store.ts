import { assertInvariant } from '../../errors/assert-invariant.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Account } from '../../solana/account.ts';
import { decodeKey, type Address } from '../../solana/address.ts';
import { SIGNATURE_BYTES, SIGNATURE_TEXT_MAX } from '../../solana/signature.ts';
import type { AccountSource } from '../state/account-source.ts';
import type { TransactionRecord } from '../execution.ts';
import { AccountEncoder } from './account-patch.ts';
import { type EncodedCommit, encodeCommit, readCommit, writeCommit } from './encoded-commit.ts';
import type { JournalFiles } from './journal/journal-files.ts';
import { Journal } from './journal/journal.ts';
import { recoverJournal } from './journal/recover-journal.ts';
import type { LedgerDatabase } from './ledger-database.ts';
import { moveEarlier } from './move-earlier.ts';
import { PendingAccounts } from './pending-accounts.ts';
import { type NumberedCommit, RecentCommits } from './recent-commits.ts';
import { decodeRecords } from './record-codec.ts';
import { earlierPosition } from './record-position.ts';
import type {
  Commit,
  HistoryPage,
  LedgerIdentity,
  LedgerStore,
  MessageName,
  StoreSize,
  TimeAnchor,
} from './store.ts';
import { StoredAccounts } from './stored-accounts.ts';
import { type LedgerSummary, summarize } from './summary.ts';
import { TakeOver, type TakeOverLimits } from './take-over.ts';

/** Waiting commits share one journal frame, up to this size. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024;

/** The parts of a {@link FolderStore}. */
export interface FolderStoreParts {
  readonly database: LedgerDatabase;
  readonly files: JournalFiles;
  readonly random: Random;
  readonly logger: Logger;
  readonly limits: TakeOverLimits;
  /** Whether a ledger must exist here because another one was built on it; default false. */
  readonly mustExist?: boolean;
}

interface WaitingCommit {
  readonly commit: EncodedCommit;
  readonly bytes: Buffer;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * A ledger kept in files. A commit is acknowledged once the journal has flushed it. Commits that arrive
 * during a flush share the next frame (group commit). The database takes them over later.
 */
export class FolderStore implements LedgerStore {
  readonly #folder: string;
  readonly #database: LedgerDatabase;
  readonly #journal: Journal;
  readonly #recent = new RecentCommits();
  readonly #takeOver: TakeOver;
  readonly #encoder = new AccountEncoder();
  readonly #logger: Logger;
  /** Null until somebody asks for the accounts one by one. */
  #pending: PendingAccounts | null = null;
  /** The number the next accepted commit gets. */
  #nextAccepted: number;
  /** That of the last accepted identity. */
  #acceptedHash: string | null;
  #summary: LedgerSummary;
  #waiting: WaitingCommit[] = [];
  #writing: Promise<void> | undefined;
  #failure: ServiceError | undefined;

  /**
   * Recovers the journal. An incomplete frame at its end is cut off.
   *
   * @throws {ServiceError} LEDGER_DAMAGED.
   */
  constructor({ database, files, random, logger, limits, mustExist = false }: FolderStoreParts) {
    // The first commit of a ledger is entry 1, so `mustExist` counts as one acknowledged entry.
    const acknowledged = Math.max(database.acknowledged, mustExist ? 1 : 0);
    const recovered = recoverJournal(files, database.taken, acknowledged);
    if (recovered.cut !== null) {
      logger.warn(recovered.cut, 'the journal ended in an incomplete write, which was cut off');
    }
    this.#logger = logger;
    this.#nextAccepted = recovered.next;
    this.#folder = files.folder;
    this.#database = database;
    this.#journal = new Journal(files, random, recovered);
    const onTaken = (commits: readonly NumberedCommit[]): void => this.#pending?.settle(commits);
    const parts = { journal: this.#journal, recent: this.#recent, database, limits, onTaken };
    this.#takeOver = new TakeOver(parts, (error) => {
      logger.error(
        { err: error },
        'the database of the ledger cannot be written; the journal keeps what it lacks',
      );
      this.#stop(error);
    });
    this.#summary = database.summary;
    for (const { sequence, bytes } of recovered.entries) this.#add(sequence, readCommit(bytes), bytes.length);
    // Before the first append, which older releases cannot read. After recovery, so that a folder that is
    // refused stays as it was.
    const known = { sequence: recovered.next - 1, slot: this.#summary.slotCeiling + 1 };
    const raised = database.raiseFormat(known);
    if (raised !== null) {
      logger.warn(raised, 'the ledger was kept by an earlier release, which refuses its folder from now on');
    }
    this.#acceptedHash = this.#summary.identity?.genesisHash ?? null;
    if (database.isMoved) this.#takeOver.consider(recovered.entries.length > 0);
  }

  async prepare(): Promise<void> {
    if (this.#database.isMoved) return;
    await moveEarlier(this.#database, this.#logger);
    this.#takeOver.consider(this.#recent.count > 0);
  }

  async drain(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    if (this.#failure === undefined) await this.#takeOver.finish();
    if (this.#failure !== undefined) throw this.#failure;
  }

  kept(genesisHash: string): AccountSource {
    const pending = (this.#pending ??= this.#findPending());
    return new StoredAccounts(genesisHash, {
      database: this.#database,
      pending,
      acceptedHash: () => this.#acceptedHash,
    });
  }

  get identity(): LedgerIdentity | null {
    return this.#summary.identity;
  }

  get slotCeiling(): number {
    return this.#summary.slotCeiling;
  }

  get recordCount(): number {
    return this.#summary.recordCount;
  }

  get timeAnchors(): readonly TimeAnchor[] {
    return this.#summary.timeAnchors;
  }

  get firstSlot(): number {
    return this.#older?.firstSlot ?? 0;
  }

  *accounts(): Iterable<readonly [Address, Account]> {
    const recent = this.#recentAccounts();
    // A recent value hides the one in the database.
    for (const entry of this.#older?.accounts() ?? []) if (!recent.has(entry[0])) yield entry;
    for (const [address, account] of recent) if (account !== null) yield [address, account];
  }

  record(signature: string): TransactionRecord | null {
    const key = decodeKey(signature, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX);
    if (typeof key === 'string') return null;
    return this.#recent.record(key) ?? this.#older?.record(key) ?? null;
  }

  *recordsFrom(slot: number): Iterable<TransactionRecord> {
    yield* this.#older?.recordsBetween(slot, this.#recent.firstPosition) ?? [];
    yield* this.#recent.recordsBetween(slot, Number.POSITIVE_INFINITY);
  }

  hasMessage(message: MessageName): boolean {
    return this.#recent.hasMessage(message) || (this.#older?.hasMessage(message) ?? false);
  }

  get messagesFrom(): number {
    const { sequence, slot } = this.#database.withoutMessages;
    return this.#recent.isWholeLedger && this.#recent.first > sequence ? 0 : slot;
  }

  *messages(): Iterable<MessageName> {
    yield* this.#older?.messages() ?? [];
    yield* this.#recent.messages();
  }

  get keptCount(): number {
    return (this.#older?.keptCount ?? 0) + this.#recent.recordCount;
  }

  recordsOf(slot: number): readonly TransactionRecord[] {
    const end = earlierPosition({ slot: slot + 1, index: 0 }, this.#recent.firstPosition);
    return [...(this.#older?.recordsBetween(slot, end) ?? []), ...this.#recent.recordsBetween(slot, slot)];
  }

  recordsNaming(page: HistoryPage): Iterable<TransactionRecord> {
    const recent = this.#recent.valuesNaming(page);
    const before = earlierPosition(page.before ?? null, this.#recent.firstPosition);
    const limit = page.limit - recent.length;
    const rest = { ...page, limit, ...(before === null ? {} : { before }) };
    return decodeRecords([...recent, ...(limit > 0 ? (this.#older?.valuesNaming(rest) ?? []) : [])]);
  }

  newestRecords(limit: number): readonly TransactionRecord[] {
    const recent = this.#recent.newestRecords(limit);
    const rest = limit - recent.length;
    const older = rest > 0 ? this.#older?.newestRecords(rest, this.#recent.firstPosition) : undefined;
    return [...recent, ...(older ?? [])];
  }

  size(): StoreSize {
    return { journalBytes: this.#journal.bytes, databaseBytes: this.#database.bytes };
  }

  /** @throws {ServiceError} LEDGER_STOPPED after a failed write. */
  commit(commit: Commit): Promise<void> {
    // Crash case: commit 7 fails and commit 8 assumes it. Writing 8 would leave a hole, so nothing is written
    // after a failure.
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      try {
        // Encoded in the order of the calls: a patch of a large account builds on the commit before it.
        const encoded = encodeCommit(commit, this.#encoder);
        this.#notePending(commit);
        this.#waiting.push({ commit: encoded, bytes: writeCommit(encoded), resolve, reject });
      } catch (error) {
        // The encoder may already count this commit's accounts as written, so that later patches would be
        // wrong.
        return reject(this.#stop(error));
      }
      // With an empty queue it would finish before it is recorded as running.
      this.#writing ??= this.#writeWaiting();
    });
  }

  checkSome(): readonly ServiceError[] {
    return this.#database.checkSome();
  }

  checkAll(): Iterable<readonly ServiceError[]> {
    return this.#database.checkAll();
  }

  async releaseReads(): Promise<void> {
    await this.#takeOver.between(() => this.#database.reopen());
  }

  async close(): Promise<void> {
    // Commits that arrive meanwhile start another write.
    while (this.#writing !== undefined) await this.#writing;
    try {
      await this.#journal.close();
      // After an orderly stop the database has everything and the next start replays nothing. After a failure
      // the journal is all there is to trust, so it stays.
      const canFinish = this.#failure === undefined && this.#database.isMoved;
      await (canFinish ? this.#takeOver.finish() : this.#takeOver.stop());
    } finally {
      await this.#database.close();
    }
  }

  get isWritable(): boolean {
    return this.#failure === undefined;
  }

  /** Stops all writes because of `cause`. */
  halt(cause: Error): void {
    this.#stop(cause);
    void this.#takeOver.stop();
  }

  /** The database, for data older than the recent commits; null if those are the whole ledger. */
  get #older(): LedgerDatabase | null {
    return this.#recent.isWholeLedger ? null : this.#database;
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      try {
        const first = await this.#journal.append(group.map(({ bytes }) => bytes));
        for (const [index, { commit, bytes, resolve }] of group.entries()) {
          // Readable before it is acknowledged: whoever waited for the commit must find it.
          this.#add(first + index, commit, bytes.length);
          resolve();
        }
        this.#takeOver.consider(group.some(({ commit }) => isChange(commit)));
        // Back-pressure: without it, memory would grow while commits come faster than the database takes
        // them.
        await this.#takeOver.makeRoom();
      } catch (error) {
        const failure = this.#stop(error);
        // The commits behind a failed one assume it, so they fail with it.
        for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(failure);
      }
    }
    this.#writing = undefined;
  }

  #nextGroup(): WaitingCommit[] {
    let size = 0;
    const end = this.#waiting.findIndex(({ bytes }, index) => {
      size += bytes.length;
      return index > 0 && size > GROUP_BYTES_MAX;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  #add(sequence: number, commit: EncodedCommit, bytes: number): void {
    const last = Math.max(this.#database.taken, this.#recent.newest);
    assertInvariant(sequence === last + 1, 'commits are numbered without a gap');
    this.#recent.add({ sequence, commit, bytes });
    this.#summary = summarize(this.#summary, commit);
  }

  /** The accounts of the commits that are not in the database. */
  #findPending(): PendingAccounts {
    const pending = new PendingAccounts();
    const changedBy = this.#recent.changedBy();
    for (const [address, account] of this.#recentAccounts()) {
      pending.note(changedBy.get(address) as number, address, account);
    }
    return pending;
  }

  #notePending({ identity, accounts = [] }: Commit): void {
    const sequence = this.#nextAccepted++;
    if (identity !== undefined) {
      this.#pending?.begin(identity.genesisHash);
      this.#acceptedHash = identity.genesisHash;
    }
    for (const [address, account] of accounts) {
      this.#pending?.note(sequence, address, account.lamports === 0n ? null : account);
    }
  }

  #recentAccounts(): Map<Address, Account | null> {
    return this.#recent.accounts(
      (address) => this.#older?.accountValue(address),
      (what) => this.#database.damagedAccount(what),
    );
  }

  /** Refuses every later commit, and returns the error they all get. */
  #stop(cause: unknown): ServiceError {
    this.#failure ??= new ServiceError(
      'LEDGER_STOPPED',
      `The ledger in ${this.#folder} cannot be written and accepts nothing more until it is restarted: ${(cause as Error).message}`,
      { folder: this.#folder },
      { cause },
    );
    return this.#failure;
  }
}

/** Whether a commit does more than move the slot ceiling. */
function isChange({ accounts, record, identity, timeAnchor }: EncodedCommit): boolean {
  return accounts.length > 0 || (record ?? identity ?? timeAnchor) !== undefined;
}
