import type { QueueTask } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { LedgerListener } from '../../ledger/ledger-events.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeClockTime } from '../../programs/sysvars.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import { isOfBooks } from '../books/books-address.ts';
import { BooksView } from '../books/books.ts';
import type { CrankTask } from '../books/crank-task.ts';
import { cancelTaskEntry, taskEntry } from '../books/entries.ts';
import type { OwnRunner } from '../execution/run-own.ts';
import { BackOff } from '../settlement/back-off.ts';
import { tellSetback } from '../settlement/tell-setback.ts';

/** Tag of `ProcessTransferQueueTick` of the ephemeral token program; its first account is the queue. */
const TICK = 203;

/** The queue whose transfers a task has paid out; null for any other task. */
function queueOf({ instructions }: CrankTask): Address | null {
  const [tick, ...others] = instructions;
  const isTick = tick?.programId === EPHEMERAL_TOKEN_PROGRAM && tick.data[0] === TICK && others.length === 0;
  return isTick ? (tick.accounts[0]?.address ?? null) : null;
}

/**
 * When a queue has something to pay: `never` as long as nothing is put into it, `later` by the ledger's own
 * time. A queue that cannot be read is left to its program.
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

type LedgerEvent = Parameters<LedgerListener>[0];

/** What a {@link Crank} needs. */
interface CrankParts {
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'getAccount' | 'subscribe'>;
  readonly runner: Pick<OwnRunner, 'run'>;
  readonly timer: Timer;
  readonly logger: Logger;
}

/**
 * Runs the tasks that programs asked for, each at its interval: in one commit with what a run does, one
 * iteration less is left. The task of a transfer queue has no timer while the queue is empty, and does not
 * run while nothing in it is due; which is looked at at every interval, as time can be moved.
 */
export class Crank {
  readonly #parts: CrankParts;
  readonly #failed: BackOff<bigint>;
  /** What calls off the next look at a task, by its id; null while it runs. */
  readonly #looks = new Map<bigint, (() => void) | null>();
  /** The tasks that wait for something to be put into their queue, by the queue. */
  readonly #waiting = new Map<Address, bigint>();
  readonly #stopListening: () => void;
  readonly #runs = new Set<Promise<void>>();
  #isClosing = false;

  constructor(parts: CrankParts) {
    this.#parts = parts;
    this.#failed = new BackOff(parts.timer, (taskId) => this.#look(taskId));
    this.#stopListening = parts.ledger.subscribe((event) => this.#hear(event));
  }

  /** Looks at every task: those that are due run at once. */
  start(): void {
    for (const { taskId } of this.#tasks()) if (!this.#looks.has(taskId)) this.#look(taskId);
  }

  /** How the task stands that pays out of a transfer queue. */
  taskOf(queue: Address): QueueTask {
    const task = this.#tasks().find((one) => queueOf(one) === queue);
    if (task === undefined) return 'none';
    return this.#failed.isHeld(task.taskId) ? 'failing' : 'running';
  }

  get isBusy(): boolean {
    return this.#runs.size > 0;
  }

  /** Resolves when no run is under way. */
  async idle(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(this.#runs);
  }

  /** Finishes the runs under way, then stops. */
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

  /** A new task, or something new in a queue: where no look is planned, there is one now. */
  #hear({ changes }: LedgerEvent): void {
    if (this.#isClosing) return;
    for (const { address } of changes) {
      const waiting = this.#waiting.get(address);
      if (waiting !== undefined && !this.#looks.has(waiting)) this.#look(waiting);
    }
    if (changes.some(({ address }) => isOfBooks(address))) this.start();
  }

  /** Runs a task if it is due, and plans the next look at it. */
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
    const after = rest > 0n ? taskEntry({ ...task, iterationsLeft: rest }) : cancelTaskEntry(taskId);
    try {
      const { err } = await runner.run(instructions, { also: [after] });
      if (err === null) {
        this.#failed.forget(taskId);
        this.#lookLater(task);
        return;
      }
      this.#looks.delete(taskId);
      const failures = this.#failed.hold(taskId);
      const message = 'A TASK FAILED that a program runs regularly; it is tried again';
      tellSetback(logger, { reason: err, failures }, message);
    } catch (error) {
      this.#looks.delete(taskId);
      // The ledger has logged why it stopped.
      if (!isServiceError(error, 'LEDGER_STOPPED')) logger.error({ err: error }, 'a task could not be run');
    }
  }
}
