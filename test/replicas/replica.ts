import { createServer } from 'node:net';
import { type StackProcess, startStack } from '../stack-process.ts';

/** Ports below those that systems give to outgoing connections, which could take the port of a stopped replica. */
const PORTS = { first: 10_000, count: 20_000 };

/** Ports tried by this process. None is returned twice, because tests that run at once bind theirs later. */
let tried = 0;

/** Returns free ports of 127.0.0.1 that outgoing connections do not use. */
export async function reservePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  const start = process.pid % PORTS.count;
  while (ports.length < count) {
    const port = PORTS.first + ((start + tried++) % PORTS.count);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** The built program, which restarts on the same port. */
export class Replica {
  readonly port: number;
  readonly #folder: string;
  readonly #env: Record<string, string>;
  #process: StackProcess | undefined;

  constructor(port: number, folder: string, env: Record<string, string>) {
    this.port = port;
    this.#folder = folder;
    this.#env = env;
  }

  /** Starts the program. Resolves when it serves. */
  async start(): Promise<void> {
    this.#process = await startStack(this.#folder, { env: { ...this.#env, PORT: String(this.port) } });
  }

  /** Kills all its processes at once. */
  async kill(): Promise<void> {
    // The process that serves dies with its supervisor, but not at once.
    const serving = this.#process?.stackPid();
    if (serving !== undefined) process.kill(serving, 'SIGKILL');
    await this.#process?.stop('SIGKILL');
  }

  /** Sends SIGTERM and waits until the program has ended. Returns its exit code and its output. */
  async stop(): Promise<{ readonly code: number | null; readonly stderr: string }> {
    return (await this.#process?.stop()) ?? { code: 0, stderr: '' };
  }
}
