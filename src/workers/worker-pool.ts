import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureFields } from '../errors/failure-fields.ts';
import { isServiceError } from '../errors/service-error.ts';
import type { MetricText } from '../metrics/registry.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { systemTimer } from '../ports/timer.ts';
import { describeDeath, type Death } from '../supervisor/death.ts';
import { DELAY_MS_MAX, RestartPolicy } from '../supervisor/restart-policy.ts';
import type { ChainCalls, RemoteChainFacts } from './chain-calls.ts';
import type { CallListCalls, ProbeCalls } from './worker-protocol.ts';
import { openLimits, type SharedLimits } from './limit-calls.ts';
import { Deferred } from './deferred.ts';
import { VersionFile } from './shared-version.ts';
import { endedFailure, gaveUpFailure } from './worker-failure.ts';
import { WorkerLife } from './worker-life.ts';

/** How long a worker may take to shut down, ms: the ten seconds of a drain and a margin. */
const STOP_MS_MAX = 12_000;

/** How long a worker may take to report metrics before they are left out, ms. */
const MEASURE_MS_MAX = 1_000;

/** What {@link WorkerPool} needs. */
interface WorkerPoolOptions {
  readonly count: number;
  /** Path of the module that a worker runs; it has to call `joinPool`. */
  readonly entry: string;
  /** Arguments after the module's path. */
  readonly args: readonly string[];
  /** The shared port; not 0, so that a restarted worker gets the same one. */
  readonly port: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What the primary provides to workers. */
export interface Provisions {
  /** The chain there; null where there is none. */
  readonly chain: { readonly facts: RemoteChainFacts; readonly calls: ChainCalls } | null;
  readonly limits: SharedLimits;
  readonly probes: ProbeCalls;
  readonly calls: CallListCalls;
  /** Where workers pass requests for the console; null where there is none. */
  readonly consolePort: number | null;
}

/** A numbered member of the pool: the worker process in it is replaced when it dies. */
interface Member {
  readonly number: number;
  readonly listening: Deferred<string>;
  readonly prepared: Deferred;
  readonly serving: Deferred;
  /** The current worker process, if there is one. */
  worker: WorkerLife | undefined;
  ended: Promise<void>;
}

/**
 * The worker processes of the tool service, managed by the process that has the ledger. They share one port
 * through `node:cluster`: this process, its primary, accepts connections and distributes them round-robin. A
 * worker that crashes is restarted by the rules of the supervisor while the others go on. If this process
 * dies, Node ends the workers at once.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #version = new VersionFile();
  readonly #members: readonly Member[];
  readonly #provisions = new Deferred<Provisions>();
  readonly #start = new Deferred();
  readonly #failure = new Deferred<never>();
  readonly #stopping = new AbortController();
  #restarts = 0;
  #closed: Promise<void> | undefined;

  /** Starts the worker processes, which load while this one opens its ledger. */
  constructor(options: WorkerPoolOptions) {
    const { count, entry, args } = options;
    this.#options = options;
    cluster.schedulingPolicy = cluster.SCHED_RR;
    // The version file is file descriptor VERSION_FD in a worker.
    const stdio = ['inherit', 'inherit', 'inherit', 'ipc', this.#version.fd] as const;
    cluster.setupPrimary({ exec: entry, args: [...args], serialization: 'advanced', stdio: [...stdio] });
    this.#members = Array.from({ length: count }, (_, at) => this.#openMember(at + 1));
  }

  /**
   * Rejects when the pool cannot continue: with a WorkerFailure if a worker crashed too often or was ended,
   * with a ServiceError if its settings are invalid. Never resolves.
   */
  get failure(): Promise<never> {
    return this.#failure.promise;
  }

  /** Advanced with each change of the ledgers: workers then drop what they have cached. */
  get version(): Pick<VersionFile, 'version' | 'advance'> {
    return this.#version;
  }

  /** Number of serving workers. */
  get servingCount(): number {
    return this.#members.filter(({ worker }) => worker?.isReady === true).length;
  }

  /** Number of restarted workers. */
  get restarts(): number {
    return this.#restarts;
  }

  /** The URL of the tool service, once all workers listen. Fails as {@link failure}. */
  async listening(): Promise<string> {
    const urls = this.#all(({ listening }) => listening.promise);
    return (await urls)[0] as string;
  }

  /**
   * Provides the workers with what they need; resolves once all are ready to serve. Fails as {@link failure}.
   */
  async prepare(provisions: Provisions): Promise<void> {
    this.#provisions.resolve(provisions);
    await this.#all(({ prepared }) => prepared.promise);
  }

  /** Makes the workers serve; resolves once all do. Fails as {@link failure}. */
  async serve(): Promise<void> {
    this.#start.resolve();
    await this.#all(({ serving }) => serving.promise);
  }

  /** The metrics of each serving worker that answers in time. */
  async measure(): Promise<readonly (readonly MetricText[])[]> {
    const serving = this.#members.flatMap(({ worker }) => (worker?.isReady === true ? [worker] : []));
    const none = (): readonly MetricText[] => [];
    const late = new Deferred<readonly MetricText[]>();
    const callOff = systemTimer.after(MEASURE_MS_MAX, () => late.resolve([]));
    // A worker that fails logs why.
    const measured = serving.map((worker) =>
      Promise.race([worker.client.call('measure').catch(none), worker.death.then(none), late.promise]),
    );
    return await Promise.all(measured).finally(callOff);
  }

  /** Makes workers answer requests in flight and exit; those that do not in time are killed. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#stopping.abort();
    for (const { worker } of this.#members) worker?.stop();
    const callOff = systemTimer.after(STOP_MS_MAX, () => {
      for (const { number, worker } of this.#members) {
        if (worker === undefined) continue;
        this.#options.logger.error(
          { worker: number },
          'killed: it was still busy long after it was told to stop',
        );
        worker.kill();
      }
    });
    await Promise.all(this.#members.map(({ ended }) => ended));
    callOff();
    this.#version.close();
  }

  #all<T>(promiseOf: (member: Member) => Promise<T>): Promise<T[]> {
    return Promise.race([Promise.all(this.#members.map(promiseOf)), this.failure]);
  }

  #openMember(number: number): Member {
    const member: Member = {
      number,
      listening: new Deferred<string>(),
      prepared: new Deferred(),
      serving: new Deferred(),
      worker: undefined,
      ended: Promise.resolve(),
    };
    member.ended = this.#keep(member).catch((error: Error) => this.#failure.reject(error));
    return member;
  }

  /** Runs worker after worker for a member, until the pool stops. */
  async #keep(member: Member): Promise<void> {
    const policy = new RestartPolicy();
    const { clock, logger } = this.#options;
    const { signal } = this.#stopping;
    for (;;) {
      const hasOthers = (): boolean =>
        this.#members.some((other) => other !== member && other.worker?.isListening === true);
      const worker = new WorkerLife(member.number, clock, hasOthers);
      member.worker = worker;
      void this.#startMember(member, worker);
      const death = await worker.death;
      member.worker = undefined;
      if (signal.aborted) return;
      const delayMs = delayAfter(member, policy, death);
      logger.warn({ worker: member.number, death: describeDeath(death) }, 'starting a worker again');
      this.#restarts += 1;
      if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }

  /**
   * Takes a worker from its start to serving. The first worker of a member binds the port before the ledger
   * is opened, so that a busy port ends the start early. A replacement binds it last: no connection reaches
   * it before it can answer.
   */
  async #startMember(member: Member, worker: WorkerLife): Promise<void> {
    const { port, logger } = this.#options;
    const { client } = worker;
    const isFirst = !member.serving.isResolved;
    try {
      await worker.joined;
      if (isFirst) member.listening.resolve(await client.call('listen', port));
      const { chain, limits, probes, calls: list, consolePort } = await this.#provisions.promise;
      const { calls, release } = openLimits(limits);
      void worker.death.then(release);
      worker.offer({ ...chain?.calls, ...calls, ...probes, ...list }, logger);
      await client.call('prepare', chain?.facts ?? null, consolePort);
      member.prepared.resolve();
      await this.#start.promise;
      await client.call('serve');
      if (!isFirst) await client.call('listen', port);
      worker.noteReady();
      member.serving.resolve();
    } catch (error) {
      if (isFirst && isServiceError(error)) return this.#failure.reject(error);
      logger.warn({ worker: member.number, ...failureFields(error) }, 'a worker cannot serve');
      worker.kill();
    }
  }
}

/**
 * The delay before a dead worker is replaced, ms. A member that has served is never given up: its settings
 * worked, so what fails now, a port or a file, may come back, and the other workers go on.
 *
 * @throws {WorkerFailure} when none does.
 */
function delayAfter({ number, serving }: Member, policy: RestartPolicy, death: Death): number {
  const verdict = serving.isResolved ? policy.judge(death, true) : policy.judge(death);
  if (verdict.action === 'restart') return verdict.delayMs;
  if (serving.isResolved) return DELAY_MS_MAX;
  throw verdict.action === 'end' ? endedFailure(number, death) : gaveUpFailure(number, verdict.deaths, death);
}
