import { ServiceError } from '../../../errors/service-error.ts';
import type { AccountEntry } from '../../../ledger/genesis/genesis.ts';
import { isProgramData, programDataOf } from '../../../ledger/genesis/program-accounts.ts';
import type { LedgerOperator } from '../../../ledger/operator.ts';
import { inEngineOrder, needsDryRun } from '../../../ledger/provision/engine-risk.ts';
import { dryRunAccounts } from '../../../ledger/provision/dry-run.ts';
import { WorkQueue } from '../../../ledger/provision/work-queue.ts';
import { isDifferent } from '../../../ledger/state/differences.ts';
import { BPF_LOADER_UPGRADEABLE } from '../../../programs/addresses.ts';
import type { JsonOutput } from '../../../json/json-value.ts';
import { inContext, type RpcNode } from '../../rpc-node.ts';
import { operatorOf } from './operator-of.ts';

/** Computes the accounts to set from the current state of the ledger. */
type Computation = () => readonly AccountEntry[];

/** How many calls may wait for their dry run. */
const WAITING_MAX = 64;

/** How often a dry run is repeated because the accounts changed during it. */
const DRY_RUNS_MAX = 3;

/** One call at a time has a dry run, so that none invalidates another's. */
const queues = new WeakMap<LedgerOperator, WorkQueue>();

/**
 * Sets accounts on the ledger, after a dry run of those the engine parses. Answers null in its context once
 * that is durable. Concurrent changes are never lost: the accounts are computed and set in the same turn of
 * the event loop.
 *
 * @throws {ServiceError} PROVISION_INVALID if an account would abort the engine; INVALID_ARGUMENTS if the
 *   ledger maintains it itself; SERVICE_BUSY if too many calls wait or the accounts keep changing.
 */
export async function putAccounts(node: RpcNode, given: Computation): Promise<JsonOutput> {
  const operator = operatorOf(node);
  const compute = (): readonly AccountEntry[] => withPrograms(given(), node);
  const entries = compute();
  if (entries.some(needsDryRun)) await queueOf(operator).run(() => putTried(node, operator, compute));
  else await operator.setAccounts(entries);
  return inContext(node, node.ledger.head().slot, null);
}

function queueOf(operator: LedgerOperator): WorkQueue {
  const queue = queues.get(operator) ?? new WorkQueue(WAITING_MAX);
  queues.set(operator, queue);
  return queue;
}

async function putTried(node: RpcNode, operator: LedgerOperator, compute: Computation): Promise<void> {
  let tried: readonly AccountEntry[] = [];
  for (let dryRuns = 0; ; dryRuns++) {
    const entries = compute();
    const risky = [...codeBehind(entries, node), ...entries].filter(needsDryRun);
    if (isSame(risky, tried)) return await operator.setAccounts(inEngineOrder(entries));
    if (dryRuns === DRY_RUNS_MAX) throw restless();
    await dryRunAccounts(risky);
    tried = risky;
  }
}

const restless = (): ServiceError =>
  new ServiceError('SERVICE_BUSY', 'The accounts change faster than they can be checked; try again');

/**
 * Adds the programs whose code is among the entries: the engine loads code when the program itself is set.
 */
function withPrograms(entries: readonly AccountEntry[], { ledger }: RpcNode): readonly AccountEntry[] {
  const code = new Set(entries.filter(([, account]) => isProgramData(account)).map(([address]) => address));
  if (code.size === 0) return entries;
  const given = new Set(entries.map(([address]) => address));
  const programs = [...ledger.programAccounts(BPF_LOADER_UPGRADEABLE)].filter(([address, account]) => {
    const programData = account.executable ? programDataOf(account) : null;
    return programData !== null && code.has(programData) && !given.has(address);
  });
  return [...entries, ...programs];
}

/** The code on the ledger that programs among the entries refer to. */
function codeBehind(entries: readonly AccountEntry[], { ledger }: RpcNode): AccountEntry[] {
  const addresses = new Set(entries.map(([address]) => address));
  return entries.flatMap(([, account]): AccountEntry[] => {
    const address = programDataOf(account);
    const code = address === null || addresses.has(address) ? null : ledger.getAccount(address);
    return address === null || code === null ? [] : [[address, code]];
  });
}

function isSame(some: readonly AccountEntry[], others: readonly AccountEntry[]): boolean {
  if (some.length !== others.length) return false;
  return some.every(([address, account], index) => {
    const [otherAddress, other] = others[index] as AccountEntry;
    return address === otherAddress && !isDifferent(account, other);
  });
}
