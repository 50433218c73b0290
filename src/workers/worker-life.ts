import cluster, { type Worker } from 'node:cluster';
import type { Clock } from '../ports/clock.ts';
import type { Death } from '../supervisor/death.ts';
import type { Logger } from '../ports/logger.ts';
import type { CallClient } from './call-client.ts';
import type { JoinMessage, PrimaryCalls, WorkerCalls } from './worker-protocol.ts';
import { CallChannel, type ChannelMessage } from './call-channel.ts';
import { Deferred } from './deferred.ts';
import { answerForTheDead } from './handed-connections.ts';

/**
 * The environment variable with the number of a worker, from 1. A replacement gets the number of the dead
 * worker.
 */
export const WORKER_VARIABLE = 'SPL_PRIVATE_PAYMENTS_WORKER';

/** One run of a worker process, from start to exit. */
export class WorkerLife {
  /** Resolves once it has exited and all its messages are read. */
  readonly death: Promise<Death>;
  readonly #worker: Worker;
  readonly #channel: CallChannel<WorkerCalls, PrimaryCalls>;
  readonly #clock: Clock;
  readonly #joined = new Deferred();
  #readyAtMs: number | null = null;
  #isListening = false;

  /**
   * Starts the module that `cluster.setupPrimary` was told. It shares stdout, stderr and the environment.
   *
   * @param hasOthers whether another worker listens.
   */
  constructor(number: number, clock: Clock, hasOthers: () => boolean) {
    const worker = cluster.fork({ [WORKER_VARIABLE]: String(number) });
    const { process: child } = worker;
    answerForTheDead(worker, hasOthers);
    worker.on('listening', () => (this.#isListening = true));
    this.#worker = worker;
    this.#clock = clock;
    this.#channel = new CallChannel((message) => this.#send(message));
    worker.on('message', (message: ChannelMessage | JoinMessage) => {
      if (message.kind === 'joined') this.#joined.resolve();
      else this.#channel.take(message);
    });
    this.death = new Promise((resolve) => {
      const die = (end: Omit<Death, 'readyForMs'>): void =>
        resolve({ ...end, readyForMs: this.#readyAtMs === null ? null : clock.now() - this.#readyAtMs });
      child.once('close', (exitCode, signal) => die({ exitCode, signal }));
      // A connection or message sent to a dying worker raises an error too; its exit is reported separately.
      worker.on('error', (error: NodeJS.ErrnoException) => {
        if (child.pid === undefined) die({ exitCode: null, signal: null, startFault: error.code ?? 'fault' });
      });
    });
  }

  /** Records that it serves. */
  noteReady(): void {
    this.#readyAtMs ??= this.#clock.now();
  }

  /** Whether it is given connections, as far as this process knows. */
  get isListening(): boolean {
    return this.#isListening && this.#worker.isConnected();
  }

  get isReady(): boolean {
    return this.#readyAtMs !== null;
  }

  /** Resolves once it listens to messages. */
  get joined(): Promise<void> {
    return this.#joined.promise;
  }

  /** Calls into the worker. It must have joined. */
  get client(): CallClient<WorkerCalls> {
    return this.#channel.client;
  }

  /** Offers it calls into this process; it must not have called before. */
  offer(calls: Partial<PrimaryCalls>, logger: Logger): void {
    this.#channel.offer(calls, logger);
  }

  /** Asks it to shut down; a worker that does not listen yet is killed. */
  stop(): void {
    if (this.#joined.isResolved) void this.client.call('stop');
    else this.kill();
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  /** A message to a dead worker is dropped. */
  #send(message: ChannelMessage): void {
    if (this.#worker.isConnected()) this.#worker.send(message, undefined, () => {});
  }
}
