import type { Execution, TransactionRecord } from '../../ledger/execution.ts';
import type { AccountReads } from '../../ledger/ledger.ts';
import { allAccountKeys } from '../../ledger/run/account-keys.ts';
import { readComputeBudget } from '../../ledger/run/compute-budget.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { SHUTTLE_TABLE } from '../../programs/ephemeral-token/table/shuttle.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { type AccessGuard, INTERNAL, type Reader, SECRET } from './guard.ts';
import type { Guards } from './guards.ts';
import { isPublicParty } from './public-party.ts';

/** Where the owner of the tokens stands that an instruction unloads or pays, by its tag. */
const OWNER_AT: ReadonlyMap<number, number> = new Map(
  [SHUTTLE_TABLE.mergeShuttle, QUEUE_TABLE.queueTransfer].map(({ tag, accounts }) => [
    tag,
    accounts.findIndex(({ role }) => role === 'owner'),
  ]),
);

/**
 * Whose a landed transaction is, whatever else it names: who signed it on the rollup, and in one of the
 * rollup itself the owners whose tokens it unloads and pays. The signatures of others are zeros in the
 * latter: they have signed on base without seeing what was sealed there, as a sponsor who pays the rents.
 */
function authorsOf(transaction: Transaction): readonly Address[] {
  const { staticKeys, requiredSignatures, signatures } = transaction;
  const owners = ownersIn(transaction);
  return staticKeys
    .slice(0, requiredSignatures)
    .filter((_, index) => owners.has(index) || signatures[index]?.some((byte) => byte !== 0));
}

/** The indices of those whose tokens a transaction is to unload or to pay, whether they sign or not. */
function ownersIn({ instructions, staticKeys }: Transaction): ReadonlySet<number> {
  const owners = instructions.flatMap(({ programIdIndex, accounts, data }) => {
    if (staticKeys[programIdIndex] !== EPHEMERAL_TOKEN_PROGRAM) return [];
    const owner = accounts[OWNER_AT.get(data[0] ?? -1) ?? -1];
    return owner === undefined ? [] : [owner];
  });
  return new Set(owners);
}

/**
 * A landed transaction as a reader may see it: null for one that names private accounts, none of which is
 * theirs to follow, that is not theirs by {@link authorsOf}, and that names no public account of theirs; and
 * for one of others that names a transfer queue, as it brings payer and payee together. What accounts
 * they may not read held, and logs they may not read, are left out, and so is what a run cost that named a
 * queue.
 *
 * @param ledger where the transaction landed: whose accounts they are is asked there.
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
  const told = touched.includes(SECRET) ? withoutCost(record) : record;
  const shown = { ...told, ...hideBalances(record, keys, reader, guards) };
  return isAuthor || sees('logs') ? shown : { ...shown, logs: [], returnData: null };
}

/** What programs of the runtime log of what a run costs. */
const COST_LOG = /^Program (?:\w+ consumed \d+ of \d+ compute units|consumption: \d+ units remaining)$/;

/**
 * A record that does not say what its run cost, which depends on how many payments wait in a queue and on
 * when they are due: it has the units that were asked for.
 */
function withoutCost(record: TransactionRecord): TransactionRecord {
  const budget = readComputeBudget(decodeTransaction(record.wire));
  const computeUnits = 'err' in budget ? 0 : budget.unitLimit;
  return { ...record, computeUnits, logs: record.logs.filter((line) => !COST_LOG.test(line)) };
}

interface Parts {
  readonly keys: readonly Address[];
  readonly authors: readonly Address[];
}

/** An event is shown to many readers, and its record is the same for all of them. */
const taken = new WeakMap<TransactionRecord, Parts>();

function partsOf(record: TransactionRecord): Parts {
  let parts = taken.get(record);
  if (parts === undefined) {
    const transaction = decodeTransaction(record.wire);
    parts = { keys: allAccountKeys(transaction, record.loadedAddresses), authors: authorsOf(transaction) };
    taken.set(record, parts);
  }
  return parts;
}

/** Whether a landed transaction names an address among all its keys. */
export function isNamed(address: Address, record: TransactionRecord): boolean {
  return partsOf(record).keys.includes(address);
}

/**
 * The balances of a run without those of accounts a reader may not read: lamports are 0, token balances
 * missing.
 */
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

/** Whether an account is a reader's to read. */
export function mayRead(address: Address, reader: Reader, guards: Guards): boolean {
  return guards.get(address)?.allows(reader, 'balances') ?? true;
}

/**
 * The guards of the private accounts that a landed transaction names; none where everybody may know of it.
 * The rollup's own books are nobody's privacy. An account that exists on the rollup only counts for those who
 * may read it: it was kept from the run of everybody else, and a transaction of theirs that was hidden for
 * naming it would tell them that it is there.
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
