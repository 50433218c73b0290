import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { MEMORY_ENVIRONMENT, MEMORY_FLAGS } from './memory-flags.ts';

/** How long connections that are accepted may wait for a process at the end, ms. */
const SETTLE_MS_MAX = 1_000;

/**
 * What `node:cluster` and a worker say of a connection: `newconn` with the connection and a number, and an
 * answer to that number, whether it was accepted (Node 20 to 26, `lib/internal/cluster`).
 */
interface ClusterMessage {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: number;
  readonly ack?: number;
}

const CLUSTER = 'NODE_CLUSTER';

/**
 * The ports that several processes share by `node:cluster`: this process, its primary, accepts connections
 * and hands them round. It reads which of them are on their way, as Node offers nothing to see it.
 */
export class SharedPorts {
  /** By process that listens or will: the numbers of the connections it was given and has not answered. */
  readonly #given = new Map<Worker, Set<number>>();
  readonly #listening = new Set<Worker>();
  #handed = 0;

  /** The processes run the module at the path `entry`, which has to call `joinSupervisor`. */
  constructor(entry: string, args: readonly string[]) {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ exec: entry, args: [...args], execArgv: [...MEMORY_FLAGS, ...process.execArgv] });
  }

  fork(): ChildProcess {
    const worker = cluster.fork({ ...MEMORY_ENVIRONMENT, ...process.env });
    this.#watch(worker);
    return worker.process;
  }

  /** Resolves once what is accepted is with a process, or nobody has taken it for a second. */
  async settle(): Promise<void> {
    const deadline = performance.now() + SETTLE_MS_MAX;
    while (performance.now() < deadline) {
      const before = this.#handed;
      // Connections are accepted between two immediates, one of each port in a turn (libuv since 1.45).
      await turn();
      await turn();
      const isAnyFree = [...this.#listening].some((worker) => this.#given.get(worker)?.size === 0);
      if (this.#handed === before && (isAnyFree || this.#listening.size === 0)) return;
      await sleep(1);
    }
  }

  /** Closes the ports. What a process was given before reaches it before the news. */
  close(): void {
    for (const worker of this.#listening) worker.disconnect();
  }

  /**
   * Answers for a worker that died with a connection it was given and had not taken. `node:cluster` waits for
   * that answer for ever: the connection stays open and nobody reads it. It is told what a worker says that
   * is shutting down, so that another one is given the connection; where there is none it is closed.
   */
  #watch(worker: Worker): void {
    const { process: child } = worker;
    const given = new Set<number>();
    this.#given.set(worker, given);
    const send = child.send.bind(child) as (...args: unknown[]) => boolean;
    child.send = (...args: unknown[]) => {
      const { cmd, act, seq } = args[0] as ClusterMessage;
      if (cmd === CLUSTER && act === 'newconn' && seq !== undefined) {
        given.add(seq);
        this.#handed += 1;
      }
      return send(...args);
    };
    child.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
      if (cmd === CLUSTER && ack !== undefined) given.delete(ack);
    });
    worker.on('listening', () => this.#listening.add(worker));
    // A connection or message sent to a dying worker raises an error too; its exit is told by the process.
    worker.on('error', () => undefined);
    // Its last answers have been read then.
    child.once('close', () => {
      this.#given.delete(worker);
      this.#listening.delete(worker);
      // While it has not taken a connection, its end is not always noticed: it would be given more of them.
      if (given.size > 0) worker.disconnect();
      const accepted = this.#listening.size === 0;
      for (const ack of given) child.emit('internalMessage', { cmd: CLUSTER, ack, accepted });
    });
  }
}
