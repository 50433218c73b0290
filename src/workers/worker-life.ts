import cluster, { type Worker } from 'node:cluster';
import type { Clock } from '../ports/clock.ts';
import type { Death } from '../supervisor/death.ts';
import type { Logger } from '../ports/logger.ts';
import type { CallClient } from './call-client.ts';
import type { JoinMessage, PrimaryCalls, WorkerCalls } from './worker-protocol.ts';
import { CallChannel, type ChannelMessage } from './call-channel.ts';
import { Deferred } from './deferred.ts';

/**
 * Environment variable that tells a worker its number: from 1, and the one that takes the place of a dead worker has its
 * number.
 */
export const WORKER_VARIABLE = 'SPL_PRIVATE_PAYMENTS_WORKER';

/** One run of a worker process, from its start to its death. */
export class WorkerLife {
  /** Resolves once it is dead and everything it said is heard. */
  readonly death: Promise<Death>;
  readonly #worker: Worker;
  readonly #channel: CallChannel<WorkerCalls, PrimaryCalls>;
  readonly #clock: Clock;
  readonly #joined = new Deferred();
  #readyAtMs: number | null = null;

  /** Starts the module that `cluster.setupPrimary` was told. It shares stdout, stderr and the environment. */
  constructor(number: number, clock: Clock) {
    const worker = cluster.fork({ [WORKER_VARIABLE]: String(number) });
    const { process: child } = worker;
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
      // A connection or message that the worker did not live to get is a fault, too, and is heard of by its end.
      worker.on('error', (error: NodeJS.ErrnoException) => {
        if (child.pid === undefined) die({ exitCode: null, signal: null, startFault: error.code ?? 'fault' });
      });
    });
  }

  /** Takes note that it serves. */
  noteReady(): void {
    this.#readyAtMs ??= this.#clock.now();
  }

  get isReady(): boolean {
    return this.#readyAtMs !== null;
  }

  /** Resolves once it hears. */
  get joined(): Promise<void> {
    return this.#joined.promise;
  }

  /** Has it do what it is for. It must have joined. */
  get client(): CallClient<WorkerCalls> {
    return this.#channel.client;
  }

  /** Lets it call this process, which it must not have tried before. */
  offer(calls: Partial<PrimaryCalls>, logger: Logger): void {
    this.#channel.offer(calls, logger);
  }

  /** Asks for an orderly end; one that hears nothing yet is ended at once. */
  stop(): void {
    if (this.#joined.isResolved) void this.client.call('stop');
    else this.kill();
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  /** What is sent to a worker that is dead is dropped. */
  #send(message: ChannelMessage): void {
    if (this.#worker.isConnected()) this.#worker.send(message, undefined, () => {});
  }
}
