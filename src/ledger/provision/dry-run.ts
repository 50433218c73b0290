import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { inEngineOrder, needsDryRun } from './engine-risk.ts';
import { startScratchProcess, type ScratchProcess } from './scratch-process.ts';
import type { TransactionError } from '../transaction-error.ts';
import type { DryRunReply, DryRunStep, ProgramCall } from './scratch-steps.ts';
import { WorkQueue } from './work-queue.ts';

/** How many dry runs may wait; each takes a few tenths of a second. */
const WAITING_MAX = 64;

/**
 * Shared by all ledgers of this process: a dry run is a second process with an engine, and the machine has
 * memory for one at a time.
 */
const dryRuns = new WorkQueue(WAITING_MAX);

/** The findings of a dry run that succeeded. */
interface DryRun {
  /** Programs whose code does not load. They do no harm but cannot be called. */
  readonly uncallable: readonly Address[];
}

/**
 * Loads these accounts into an engine in a scratch process, so that an abort of the engine does not end this
 * process. Entries that the engine never parses are skipped; if none remain, no process is started. One dry
 * run runs at a time.
 *
 * @param nameOf names an account in an error: its address or its origin.
 * @throws {ServiceError} PROVISION_INVALID naming the account that the engine refuses or aborts on;
 *   SERVICE_BUSY if too many dry runs wait.
 */
export async function dryRunAccounts(
  entries: readonly AccountEntry[],
  nameOf: (address: Address) => string = (address) => address,
): Promise<DryRun> {
  const risky = inEngineOrder(entries.filter(needsDryRun));
  if (risky.length === 0) return { uncallable: [] };
  return await inScratchProcess(nameOf, async (take) => {
    await loadAll(take, risky);
    for (const [address] of risky) await take({ kind: 'lock', address });
    const uncallable: Address[] = [];
    for (const [address, { executable }] of risky) {
      if (!executable) continue;
      const { isCallable } = await take({ kind: 'call', address });
      if (!isCallable) uncallable.push(address);
    }
    return { uncallable };
  });
}

/**
 * Calls programs in an engine of a scratch process that holds only these accounts and those built into every
 * ledger. Returns how each call ended, in order.
 *
 * @param nameOf names an account in an error.
 * @throws {ServiceError} as {@link dryRunAccounts}.
 */
export async function askPrograms(
  entries: readonly AccountEntry[],
  calls: readonly ProgramCall[],
  nameOf: (address: Address) => string,
): Promise<readonly (TransactionError | null)[]> {
  return await inScratchProcess(nameOf, async (take) => {
    await loadAll(take, inEngineOrder(entries));
    const answers: (TransactionError | null)[] = [];
    for (const call of calls) answers.push((await take({ kind: 'ask', ...call })).answer);
    return answers;
  });
}

/** Lets the scratch process execute a step. */
type Take = (step: DryRunStep) => Promise<DryRunReply>;

function inScratchProcess<T>(
  nameOf: (address: Address) => string,
  use: (take: Take) => Promise<T>,
): Promise<T> {
  return dryRuns.run(async () => {
    const scratch = startScratchProcess();
    try {
      return await use((step) => takeIn(scratch, step, nameOf));
    } finally {
      await scratch.end();
    }
  });
}

async function takeIn(
  scratch: ScratchProcess,
  step: DryRunStep,
  nameOf: (address: Address) => string,
): Promise<DryRunReply> {
  const reply = await scratch.take(step);
  if (reply?.fault === null) return reply;
  const why = reply === null ? 'the engine dies of it' : `the engine refuses it (${reply.fault})`;
  throw new ServiceError('PROVISION_INVALID', `${nameOf(step.address)} cannot be loaded: ${why}`, {
    account: step.address,
  });
}

async function loadAll(take: Take, entries: readonly AccountEntry[]): Promise<void> {
  for (const [address, account] of entries) await take({ kind: 'put', address, account });
}
