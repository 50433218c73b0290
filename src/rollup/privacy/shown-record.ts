import type { LedgerEvent } from '../../ledger/ledger-events.ts';
import type { AccountReads, Execution, TransactionRecord } from '../../ledger/ledger.ts';
import { allAccountKeys } from '../../ledger/run/account-keys.ts';
import { readComputeBudget } from '../../ledger/run/fee.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { SHUTTLE_TABLE } from '../../programs/ephemeral-token/table/shuttle.ts';
import { decodeTokenAccount, isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { type AccessGuard, eataAt, type Guards, INTERNAL, type Reader, SECRET } from './guards.ts';

/**
 * Returns a landed transaction as a reader may see it; null if it is hidden. A transaction that names private
 * accounts is visible to its authors ({@link authorsOf}) and to wallets whose public accounts it names.
 * Wallets that may see the transactions of one of the private accounts see it too. A transaction that names a
 * transfer queue links payer and payee, so only its authors see it. Balances and logs the reader may not see
 * are removed, and so is the cost of a run that named a queue.
 *
 * @param ledger the ledger it landed on, used to find the owners of accounts.
 */
export function showRecord(
  record: TransactionRecord,
  reader: Reader,
  guards: Guards,
  ledger: Pick<AccountReads, 'getAccount'>,
): TransactionRecord | null {
  const { keys, authors } = partsOf(record);
  const touched = hidingGuards(record, guards);
  if (touched.length === 0) return record;
  const isAuthor = reader !== null && authors.includes(reader);
  const sees = (right: Parameters<AccessGuard['allows']>[1]) =>
    touched.some((guard) => guard.allows(reader, right));
  if (!isAuthor && touched.includes(SECRET)) return null;
  if (!isAuthor && !sees('message') && !isPublicParty(reader, keys, guards, ledger)) return null;
  const visible = touched.includes(SECRET) ? withoutCost(record) : record;
  const shown = { ...visible, ...hideBalances(record, keys, reader, guards) };
  return isAuthor || sees('logs') ? shown : { ...shown, logs: [], returnData: null };
}

/** Log lines of runtime programs about the cost of a run. */
const COST_LOG = /^Program (?:\w+ consumed \d+ of \d+ compute units|consumption: \d+ units remaining)$/;

/** Replaces the cost of a run, which depends on the payments in a queue, with the requested units. */
function withoutCost(record: TransactionRecord): TransactionRecord {
  const budget = readComputeBudget(decodeTransaction(record.wire));
  const computeUnits = 'err' in budget ? 0 : budget.unitLimit;
  return { ...record, computeUnits, logs: record.logs.filter((line) => !COST_LOG.test(line)) };
}

interface Parts {
  readonly keys: readonly Address[];
  readonly authors: readonly Address[];
}

/** Cache of decoded records. The readers of an event share its record. */
const decodedParts = new WeakMap<TransactionRecord, Parts>();

function partsOf(record: TransactionRecord): Parts {
  let parts = decodedParts.get(record);
  if (parts === undefined) {
    const transaction = decodeTransaction(record.wire);
    parts = { keys: allAccountKeys(transaction, record.loadedAddresses), authors: authorsOf(transaction) };
    decodedParts.set(record, parts);
  }
  return parts;
}

/** Whether a landed transaction names an address among all its keys. */
export function isNamed(address: Address, record: TransactionRecord): boolean {
  return partsOf(record).keys.includes(address);
}

/** Returns a run in which accounts the reader may not read have 0 lamports and no token balances. */
export function hideBalances<Run extends Execution>(
  run: Run,
  keys: readonly Address[],
  reader: Reader,
  guards: Guards,
): Pick<Run, 'preBalances' | 'postBalances' | 'preTokenBalances' | 'postTokenBalances'> {
  const isShown = keys.map((key) => mayRead(key, reader, guards));
  const hide = <List extends readonly bigint[] | null>(lamports: List) =>
    (lamports?.map((each, index) => (isShown[index] === true ? each : 0n)) ?? null) as List;
  const drop = <List extends Execution['preTokenBalances']>(tokens: List) =>
    (tokens?.filter(({ accountIndex }) => isShown[accountIndex]) ?? null) as List;
  return {
    preBalances: hide(run.preBalances),
    postBalances: hide(run.postBalances),
    preTokenBalances: drop(run.preTokenBalances),
    postTokenBalances: drop(run.postTokenBalances),
  };
}

/** Whether a reader may read an account. */
export function mayRead(address: Address, reader: Reader, guards: Guards): boolean {
  return guards.get(address)?.allows(reader, 'balances') ?? true;
}

/**
 * Returns the guards of the private accounts that a landed transaction names; empty if it is public. The
 * rollup's own books do not count. An ephemeral account counts if one of the authors may read it. For other
 * senders it was hidden from the run, and hiding their transaction would reveal that it exists.
 */
export function hidingGuards(record: TransactionRecord, guards: Guards): readonly AccessGuard[] {
  const { keys, authors } = partsOf(record);
  const found: AccessGuard[] = [];
  for (const key of keys) {
    const guard = guards.get(key);
    if (guard === undefined || guard === INTERNAL) continue;
    if (guards.isEphemeral(key) && !authors.some((author) => guard.allows(author, 'balances'))) continue;
    found.push(guard);
  }
  return found;
}

/** Index of the token owner among an instruction's accounts, by tag. */
const OWNER_AT: ReadonlyMap<number, number> = new Map(
  [SHUTTLE_TABLE.mergeShuttle, QUEUE_TABLE.queueTransfer].map(({ tag, accounts }) => [
    tag,
    accounts.findIndex(({ role }) => role === 'owner'),
  ]),
);

/**
 * Returns the authors of a landed transaction: its signers on the rollup. The authors of the rollup's own
 * transactions are the owners whose tokens they unload or pay. Other signers, such as a sponsor who pays
 * rent, signed on base without seeing the sealed part; their signatures are zeros here.
 */
function authorsOf(transaction: Transaction): readonly Address[] {
  const { staticKeys, requiredSignatures, signatures } = transaction;
  const owners = ownersIn(transaction);
  return staticKeys
    .slice(0, requiredSignatures)
    .filter((_, index) => owners.has(index) || signatures[index]?.some((byte) => byte !== 0));
}

/** Indices of the owners whose tokens a transaction unloads or pays, whether they sign or not. */
function ownersIn({ instructions, staticKeys }: Transaction): ReadonlySet<number> {
  const owners = instructions.flatMap(({ programIdIndex, accounts, data }) => {
    if (staticKeys[programIdIndex] !== EPHEMERAL_TOKEN_PROGRAM) return [];
    const owner = accounts[OWNER_AT.get(data[0] ?? -1) ?? -1];
    return owner === undefined ? [] : [owner];
  });
  return new Set(owners);
}

/**
 * Whether one of these accounts is public and is the reader's wallet or a token account of the reader.
 * Transactions that name it stay visible to the reader. Otherwise anyone could hide their own transactions
 * from the reader by also naming someone's private account.
 */
export function isPublicParty(
  reader: Reader,
  keys: readonly Address[],
  guards: Guards,
  ledger: Pick<AccountReads, 'getAccount'>,
): boolean {
  if (reader === null) return false;
  // Read the owner first, so hidden and absent accounts take the same number of reads.
  return keys.some(
    (key) =>
      (key === reader || ownerOfTokens(key, ledger.getAccount(key)) === reader) &&
      guards.get(key) === undefined,
  );
}

function ownerOfTokens(address: Address, account: Account | null): Address | undefined {
  if (account === null) return undefined;
  if (isTokenProgram(account.owner)) return decodeTokenAccount(account.data)?.owner;
  return eataAt(address, account)?.owner;
}

/** Filters an event for a reader; null if hidden. Changes remain if only the transaction is hidden. */
export function showEvent(
  event: LedgerEvent,
  reader: Reader,
  guards: Guards,
  ledger: Pick<AccountReads, 'getAccount'>,
): LedgerEvent | null {
  const visible = event.changes.filter(({ address }) => mayRead(address, reader, guards));
  const changes = visible.length === event.changes.length ? event.changes : visible;
  if (event.kind === 'transaction') {
    const record = showRecord(event.record, reader, guards, ledger);
    if (record === event.record && changes === event.changes) return event;
    if (record !== null) return { ...event, record, changes };
  } else if (changes === event.changes) return event;
  return changes.length === 0 ? null : { kind: 'accounts', slot: event.slot, changes };
}
