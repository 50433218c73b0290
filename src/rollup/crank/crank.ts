import type { QueueTask } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { LedgerEvent } from '../../ledger/ledger-events.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { CLOCK_SYSVAR, decodeClockTime } from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import { BooksView } from '../books/books.ts';
import { deletedItem, isOfBooks, itemEntry } from '../books/item.ts';
import { type CrankTask, TASK } from '../books/items.ts';
import type { OwnRunner } from '../execution/run-own.ts';
import type { RollupContext } from '../rollup-context.ts';
import { BackOff, logFailure } from '../settlement/jobs.ts';

/** Tag of `ProcessTransferQueueTick` of the ephemeral token program. The first account is the queue. */
const TICK = 203;

/** Returns the transfer queue that a task pays out; null for any other task. */
function queueOf({ instructions }: CrankTask): Address | null {
  const [tick, ...others] = instructions;
  const isTick = tick?.programId === EPHEMERAL_TOKEN_PROGRAM && tick.data[0] === TICK && others.length === 0;
  return isTick ? (tick.accounts[0]?.address ?? null) : null;
}

/**
 * Returns whether a queue has a payment to make: `never` while it is empty, `later` if none is due according
 * to the ledger's clock. A queue that cannot be decoded counts as due, and its program decides.
 */
function hasDueTransfer(
  queue: Address,
  ledger: Pick<EmbeddedLedger, 'getAccount'>,
): 'now' | 'later' | 'never' {
  const account = ledger.getAccount(queue);
  const decoded = account === null ? null : decodeTransferQueue(account.data);
  if (decoded === null) return 'now';
  const [first] = decoded.transfers;
  if (first === undefined) return 'never';
  const seconds = decodeClockTime(ledger.getAccount(CLOCK_SYSVAR))?.unixTimestamp ?? 0n;
  return first.readyAtMs <= seconds * 1_000n ? 'now' : 'later';
}

interface CrankParts extends Pick<RollupContext, 'timer' | 'logger'> {
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'getAccount' | 'subscribe'>;
  readonly runner: Pick<OwnRunner, 'run'>;
}

/**
 * Runs the tasks that programs scheduled, each at its interval. A run and the decremented iteration count are
 * one commit. The task of a transfer queue has no timer while the queue is empty and does not run while no
 * payment is due. It is checked at every interval, because time travel can make payments due.
 */
export class Crank {
  readonly #parts: CrankParts;
  readonly #failed: BackOff<bigint>;
  /** Functions that cancel the next check of a task, by task id; null while the task runs. */
  readonly #looks = new Map<bigint, (() => void) | null>();
  /** Tasks whose queue is empty, by queue. */
  readonly #waiting = new Map<Address, bigint>();
  readonly #stopListening: () => void;
  readonly #runs = new Set<Promise<void>>();
  #isClosing = false;

  constructor(parts: CrankParts) {
    this.#parts = parts;
    this.#failed = new BackOff(parts.timer, (taskId) => this.#look(taskId));
    this.#stopListening = parts.ledger.subscribe((event) => this.#onEvent(event));
  }

  /** Checks every task and runs those that are due. */
  start(): void {
    for (const { taskId } of this.#tasks()) if (!this.#looks.has(taskId)) this.#look(taskId);
  }

  /** Returns the state of the task that pays out a transfer queue. */
  taskOf(queue: Address): QueueTask {
    const task = this.#tasks().find((one) => queueOf(one) === queue);
    if (task === undefined) return 'none';
    return this.#failed.isHeld(task.taskId) ? 'failing' : 'running';
  }

  get isBusy(): boolean {
    return this.#runs.size > 0;
  }

  /** Resolves when no task is running. */
  async idle(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(this.#runs);
  }

  /** Stops when the current runs have ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#stopListening();
    this.#failed.close();
    for (const callOff of this.#looks.values()) callOff?.();
    await this.idle();
  }

  #tasks(): readonly CrankTask[] {
    return new BooksView(this.#parts.ledger.state()).tasks();
  }

  /** Checks new tasks, and tasks whose queue has changed, unless a check is already scheduled. */
  #onEvent({ changes }: LedgerEvent): void {
    if (this.#isClosing) return;
    for (const { address } of changes) {
      const waiting = this.#waiting.get(address);
      if (waiting !== undefined && !this.#looks.has(waiting)) this.#look(waiting);
    }
    if (changes.some(({ address }) => isOfBooks(address))) this.start();
  }

  /** Runs a task if it is due, and schedules its next check. */
  #look(taskId: bigint): void {
    this.#looks.delete(taskId);
    if (this.#isClosing || this.#failed.isHeld(taskId)) return;
    const task = new BooksView(this.#parts.ledger.state()).taskOf(taskId);
    if (task === null) return;
    const queue = queueOf(task);
    const due = queue === null ? 'now' : hasDueTransfer(queue, this.#parts.ledger);
    if (queue !== null && due === 'never') {
      this.#waiting.set(queue, taskId);
      return;
    }
    if (due === 'later') return this.#lookLater(task);
    this.#looks.set(taskId, null);
    const run = this.#run(task).finally(() => this.#runs.delete(run));
    this.#runs.add(run);
  }

  #lookLater({ taskId, intervalMs }: CrankTask): void {
    if (this.#isClosing) return;
    this.#looks.set(
      taskId,
      this.#parts.timer.after(intervalMs, () => this.#look(taskId)),
    );
  }

  async #run(task: CrankTask): Promise<void> {
    const { runner, logger } = this.#parts;
    const { taskId, iterationsLeft, instructions } = task;
    const rest = iterationsLeft - 1n;
    const after =
      rest > 0n ? itemEntry(TASK, { ...task, iterationsLeft: rest }) : deletedItem(TASK, { taskId });
    try {
      const err = await runner.run(instructions, { also: [after] });
      if (err === null) {
        this.#failed.forget(taskId);
        this.#lookLater(task);
        return;
      }
      this.#looks.delete(taskId);
      const failures = this.#failed.hold(taskId);
      const message = 'TASK FAILED: a scheduled task of a program failed; the rollup retries';
      logFailure(logger, { reason: err, failures }, message);
    } catch (error) {
      this.#looks.delete(taskId);
      // The ledger has already logged why it stopped.
      if (!isServiceError(error, 'LEDGER_STOPPED')) logger.error({ err: error }, 'a task could not be run');
    }
  }
}
