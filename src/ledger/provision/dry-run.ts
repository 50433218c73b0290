import { ServiceError } from '../../errors/service-error.ts';
import { SYSVAR_OWNER } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { LOADER_V4, LOADERS } from '../engine/engine.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import type { TransactionError } from '../transaction-errors.ts';
import {
  type DryRunReply,
  type DryRunStep,
  type ProgramCall,
  type ScratchProcess,
  startScratchProcess,
} from './scratch-process.ts';

/** Runs tasks one at a time, in order of arrival. */
export class WorkQueue {
  readonly #waitingMax: number;
  /** Tasks waiting or running. */
  #count = 0;
  /** Settles when the last task is done, successfully or not. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param waitingMax how many tasks may wait while one runs. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /**
   * Runs `task` after everything queued before it and returns its result.
   *
   * @throws {ServiceError} SERVICE_BUSY if too many tasks wait; `task` is then not run.
   */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#count > this.#waitingMax) {
      const message = `${this.#waitingMax} dry runs are waiting already, which is the limit; try again in a second`;
      throw new ServiceError('SERVICE_BUSY', message);
    }
    this.#count++;
    const result = this.#last.then(task).finally(() => {
      this.#count--;
    });
    this.#last = result.catch(() => undefined);
    return await result;
  }
}

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

/** Runs a step in the scratch process. */
type Take = (step: DryRunStep) => Promise<DryRunReply>;

function inScratchProcess<T>(
  nameOf: (address: Address) => string,
  use: (take: Take) => Promise<T>,
): Promise<T> {
  return dryRuns.run(async () => {
    const scratch = startScratchProcess();
    try {
      return await use((step) => runStep(scratch, step, nameOf));
    } finally {
      await scratch.end();
    }
  });
}

async function runStep(
  scratch: ScratchProcess,
  step: DryRunStep,
  nameOf: (address: Address) => string,
): Promise<DryRunReply> {
  const reply = await scratch.take(step);
  if (reply?.fault === null) return reply;
  const why = reply === null ? 'the engine aborts on it' : `the engine refuses it (${reply.fault})`;
  throw new ServiceError('PROVISION_INVALID', `${nameOf(step.address)} cannot be loaded: ${why}`, {
    account: step.address,
  });
}

async function loadAll(take: Take, entries: readonly AccountEntry[]): Promise<void> {
  for (const [address, account] of entries) await take({ kind: 'put', address, account });
}

/** Owners whose accounts the engine parses as soon as they are set: programs, code, sysvars. */
const READ_BY_ENGINE: ReadonlySet<Address> = new Set([...LOADERS, LOADER_V4, SYSVAR_OWNER]);

/**
 * Whether bad data in the account could abort the process, so that it must be tried in a scratch process
 * first.
 */
export function needsDryRun([address, { owner, executable }]: AccountEntry): boolean {
  return executable || READ_BY_ENGINE.has(owner) || address.startsWith('Sysvar');
}

/** The entries in the order the engine needs: programs after their ProgramData. */
export function inEngineOrder(entries: readonly AccountEntry[]): AccountEntry[] {
  const isProgram = ([, { executable }]: AccountEntry): boolean => executable;
  return [...entries.filter((entry) => !isProgram(entry)), ...entries.filter(isProgram)];
}
