import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/**
 * Flags that reduce the memory of the serving process without measurable CPU cost.
 *
 * By default V8 collects new objects after three times 16 MiB, and old ones at four times the live size
 * (`node --v8-options`). glibc gives each thread its own arena, which keeps freed memory (mallopt(3),
 * M_ARENA_MAX).
 */
export const MEMORY_FLAGS: readonly string[] = ['--max-semi-space-size=8', '--heap-growing-percent=100'];

/** Environment variables that do the same for glibc. */
export const MEMORY_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };

/**
 * Returns the Node flags for the processes: the flags of this process without code to evaluate (`-e`). A
 * process with such code would evaluate it instead of running the program, and start processes endlessly.
 */
export function nodeFlags(execArgv: readonly string[] = process.execArgv): readonly string[] {
  const evaluated = execArgv.findIndex((flag) => /^(?:-e|-p|-pe|--eval|--print)(?:=|$)/.test(flag));
  return [...MEMORY_FLAGS, ...(evaluated < 0 ? execArgv : execArgv.slice(0, evaluated))];
}

/** Maximum wait for accepted connections at a shutdown, in ms. */
const SETTLE_MS_MAX = 5_000;

/**
 * Messages of `node:cluster` about a connection: `newconn` with a number, and the worker's answer to that
 * number (Node 20 to 26, `lib/internal/cluster`).
 */
interface ClusterMessage {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: number;
  readonly ack?: number;
}

const CLUSTER = 'NODE_CLUSTER';

/**
 * Ports that several processes share with `node:cluster`. This process, the primary, accepts connections and
 * distributes them. It counts those in transit, because Node has no API for that.
 */
export class SharedPorts {
  /** The numbers of the connections that each process has not accepted yet. */
  readonly #pending = new Map<Worker, Set<number>>();
  readonly #listening = new Set<Worker>();
  #handed = 0;

  /** @param entry path of the module that the processes run; it must call `joinSupervisor`. */
  constructor(entry: string, args: readonly string[]) {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ exec: entry, args: [...args], execArgv: [...nodeFlags()] });
  }

  fork(): ChildProcess {
    const worker = cluster.fork({ ...MEMORY_ENVIRONMENT, ...process.env });
    this.#watch(worker);
    return worker.process;
  }

  /** Resolves when every accepted connection has reached a process, or after five seconds. */
  async settle(): Promise<void> {
    const deadline = performance.now() + SETTLE_MS_MAX;
    while (performance.now() < deadline) {
      const before = this.#handed;
      // Connections are accepted between two immediates, one per port and turn (libuv since 1.45).
      await turn();
      await turn();
      const isAnyFree = [...this.#listening].some((worker) => this.#pending.get(worker)?.size === 0);
      if (this.#handed === before && (isAnyFree || this.#listening.size === 0)) return;
      await sleep(1);
    }
  }

  /** Closes the ports. Connections in transit arrive first. */
  close(): void {
    for (const worker of this.#listening) worker.disconnect();
  }

  /**
   * Answers for a worker that died before it accepted a connection, because `node:cluster` would wait for the
   * answer forever. As at a shutdown, another worker then gets the connection, or it is closed if there is no
   * other worker.
   */
  #watch(worker: Worker): void {
    const { process: child } = worker;
    const pending = new Set<number>();
    this.#pending.set(worker, pending);
    const send = child.send.bind(child) as (...args: unknown[]) => boolean;
    child.send = (...args: unknown[]) => {
      const { cmd, act, seq } = args[0] as ClusterMessage;
      if (cmd === CLUSTER && act === 'newconn' && seq !== undefined) {
        pending.add(seq);
        this.#handed += 1;
      }
      return send(...args);
    };
    child.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
      if (cmd === CLUSTER && ack !== undefined) pending.delete(ack);
    });
    worker.on('listening', () => this.#listening.add(worker));
    // Sending to a dying worker also raises an error. The process reports its exit.
    worker.on('error', () => undefined);
    // The worker's last answers have been read by then.
    child.once('close', () => {
      this.#pending.delete(worker);
      this.#listening.delete(worker);
      // Otherwise `node:cluster` may give the worker more connections.
      if (pending.size > 0) worker.disconnect();
      const accepted = this.#listening.size === 0;
      for (const ack of pending) child.emit('internalMessage', { cmd: CLUSTER, ack, accepted });
    });
  }
}
