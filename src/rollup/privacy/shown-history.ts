import { createHmac } from 'node:crypto';
import { ServiceError } from '../../errors/service-error.ts';
import {
  type AccountReads,
  type HistoryReads,
  type SignatureQuery,
  SignatureUnknown,
  type TransactionRecord,
} from '../../ledger/ledger.ts';
import { comparePositions } from '../../ledger/store/store.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import type { Guards, Reader } from './guards.ts';
import { hidingGuards, isPublicParty } from './shown-record.ts';

/** Maximum number of transactions read per page. Each transaction costs about 15 µs. */
export const RECORDS_READ_MAX = 4_000;

/** Minimum page size of the underlying history. Hidden transactions should cost few pages. */
const PAGE_MIN = 250;

/** The parameters of a history search. */
interface HistorySearch {
  /** The names under which the transactions of the address are listed. */
  readonly sources: readonly Address[];
  /** Whether a listed transaction belongs to the history. */
  readonly isPart: (record: TransactionRecord) => boolean;
  /** Returns a landed transaction as it may be shown; null if it must be hidden. */
  readonly show: (record: TransactionRecord) => TransactionRecord | null;
}

/**
 * Returns a page of the visible transactions that name an address. Yields null for a transaction that was
 * read but is hidden. Only the last page has fewer transactions than the limit, because clients rely on that.
 * The page reflects the history at the time of the call and can be iterated once. Visibility is decided when
 * a transaction is read.
 *
 * @throws {SignatureUnknown} immediately, if a bound is not in the history or is hidden.
 * @throws {ServiceError} INVALID_ARGUMENTS during iteration, if too few of the transactions read are visible.
 */
export function showHistory(
  ledger: Pick<HistoryReads, 'getTransaction' | 'historyOf'>,
  query: Omit<SignatureQuery, 'address'>,
  search: HistorySearch,
): Iterable<TransactionRecord | null> {
  for (const bound of [query.before, query.until]) {
    if (bound === undefined) continue;
    const record = ledger.getTransaction(bound);
    if (record === null || search.show(record) === null) throw new SignatureUnknown(bound);
  }
  const limit = Math.ceil(Math.max(query.limit, PAGE_MIN) / search.sources.length);
  return showFound(newestRecords(ledger, search.sources, { ...query, limit }), query.limit, search);
}

function* showFound(
  records: Iterable<TransactionRecord>,
  limit: number,
  { isPart, show }: HistorySearch,
): Iterable<TransactionRecord | null> {
  let [read, found] = [0, 0];
  for (const record of records) {
    if (read++ === RECORDS_READ_MAX) throw tooMuchHidden(RECORDS_READ_MAX, found);
    const shown = isPart(record) ? show(record) : null;
    yield shown;
    if (shown !== null && ++found === limit) return;
  }
}

function tooMuchHidden(readCount: number, shownCount: number): ServiceError {
  const advice =
    shownCount === 0
      ? 'log in as its owner, or pass as `before` an older signature that you know'
      : `log in as its owner, or request a limit of ${shownCount} and continue with \`before\``;
  const what = `Only ${shownCount} of the ${readCount} newest transactions are visible to you`;
  return new ServiceError('INVALID_ARGUMENTS', `${what}, less than the limit: ${advice}`);
}

/**
 * Merges the transactions listed under several names, newest first, without duplicates. Reflects the history
 * at the time of the call. Each transaction is decoded when it is reached.
 *
 * @param query its limit is the page size per name.
 */
export function newestRecords(
  ledger: Pick<HistoryReads, 'historyOf'>,
  names: readonly Address[],
  query: Omit<SignatureQuery, 'address'>,
): Iterable<TransactionRecord> {
  // Transactions that land later come before the first page of each name.
  return mergeNewest(names.map((address) => new RecordList(ledger, { ...query, address })));
}

function* mergeNewest(lists: readonly RecordList[]): Iterable<TransactionRecord> {
  for (;;) {
    let newest: TransactionRecord | undefined;
    for (const { first } of lists) {
      if (first !== undefined && (newest === undefined || comparePositions(first, newest) > 0))
        newest = first;
    }
    if (newest === undefined) return;
    for (const list of lists) if (list.first?.signature === newest.signature) list.drop();
    yield newest;
  }
}

/** The transactions listed under one name, read page by page. */
class RecordList {
  first: TransactionRecord | undefined;
  readonly #records: Iterator<TransactionRecord>;

  constructor(ledger: Pick<HistoryReads, 'historyOf'>, query: SignatureQuery) {
    this.#records = readPages(ledger, query);
    this.drop();
  }

  drop(): void {
    const { done, value } = this.#records.next();
    this.first = done === true ? undefined : value;
  }
}

function* readPages(
  ledger: Pick<HistoryReads, 'historyOf'>,
  query: SignatureQuery,
): Generator<TransactionRecord, undefined> {
  let page = ledger.historyOf(query);
  for (;;) {
    let [count, last] = [0, ''];
    for (const record of page) {
      if (record === null) continue;
      count += 1;
      last = record.signature;
      yield record;
    }
    if (count < query.limit) return undefined;
    page = readOn(ledger, { ...query, before: last });
  }
}

/** Reads the page after a transaction, which may have been dropped from the history since. */
function readOn(
  ledger: Pick<HistoryReads, 'historyOf'>,
  query: SignatureQuery,
): ReturnType<HistoryReads['historyOf']> {
  try {
    return ledger.historyOf(query);
  } catch (error) {
    if (error instanceof SignatureUnknown) return [];
    throw error;
  }
}

/**
 * The names under which the rollup's history lists transactions. A transaction that names a private account
 * when it lands is listed under concealed names instead of addresses. A search by address then never reads
 * it, so neither its content nor the time of the search reveals anything.
 */
export class HistoryNames {
  readonly #secret: Uint8Array;
  readonly #guards: Guards;

  /** @param secret a secret that never changes. Anyone with the secret can search concealed names. */
  constructor(secret: Uint8Array, guards: Guards) {
    this.#secret = secret;
    this.#guards = guards;
  }

  /** Returns the names of a transaction with these keys when it lands. */
  readonly namesOf = (keys: readonly Address[], record: TransactionRecord): readonly Address[] =>
    hidingGuards(record, this.#guards).length > 0 ? keys.map((key) => this.concealed(key)) : keys;

  /** Returns the name that lists the private transactions of an address: 32 unpredictable bytes. */
  concealed(address: Address): Address {
    return addressOf(createHmac('sha256', this.#secret).update(address).digest());
  }
}

/** Purpose for which the secret of {@link HistoryNames} is derived from the base ledger's secret. */
export const HISTORY_PURPOSE = 'rollup history';

interface HistoryLookup {
  readonly ledger: Pick<AccountReads, 'getAccount' | 'tokenAccounts'>;
  readonly guards: Guards;
  readonly names: HistoryNames;
}

/**
 * Returns the names to search for a reader: the address itself, and the concealed names of accounts whose
 * transactions the reader may see. The cost of the search then depends only on what the reader may see.
 * Concealed names also list transactions that do not name the address.
 */
export function historySources(address: Address, reader: Reader, lookup: HistoryLookup): readonly Address[] {
  if (reader === null) return [address];
  const { names } = lookup;
  if (isTheirs(address, reader, lookup)) return [address, names.concealed(address)];
  return [address, ...Array.from(addressesOf(reader, lookup), (each) => names.concealed(each))];
}

function isTheirs(address: Address, reader: Address, { guards, ledger }: HistoryLookup): boolean {
  const isParty = isPublicParty(reader, [address], guards, ledger);
  return guards.get(address)?.allows(reader, 'message') ?? isParty;
}

/** Returns the addresses whose transactions the reader may see, including the reader's wallet. */
function addressesOf(reader: Address, { guards, ledger }: HistoryLookup): ReadonlySet<Address> {
  const found = new Set([reader]);
  for (const [address, guard] of guards.entries()) if (guard.allows(reader, 'message')) found.add(address);
  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const [address, { data }] of ledger.tokenAccounts({ holder: 'owner', address: reader, program })) {
      found.add(address);
      const mint = decodeTokenAccount(data)?.mint;
      if (mint !== undefined) found.add(deriveEata(reader, mint).address);
    }
  }
  // A private account the reader may not see stays hidden, even if it holds the reader's tokens.
  for (const address of found) {
    if (address !== reader && guards.get(address)?.allows(reader, 'message') === false) found.delete(address);
  }
  return found;
}
