import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { becomeReady } from './become-ready.ts';
import type { Recipe } from './probe.ts';
import { CALL_MS_MAX, callRpc, CallTimedOut } from './rpc.ts';
import { startProcess, type ValidatorProcess } from './validator-process.ts';

/** Options for running the validator. */
interface LaunchOptions {
  /** RPC URL of its base chain. The WebSocket is one port above. */
  readonly baseUrl: string;
  /** RPC port. The WebSocket and the metrics use the next two ports. */
  readonly port: number;
  /** Folder for the validator's new ledger and this launcher's files. */
  readonly folder: string;
  /** Timeout for each call to it, ms. */
  readonly callMsMax?: number;
  /** Interval between health checks after it is ready, ms. */
  readonly watchMs?: number;
  /** Time to end after SIGTERM before it is killed, ms. */
  readonly stopMsMax?: number;
}

/** A running validator that accepts transactions. */
export interface ExternalValidator {
  readonly url: string;
  /** The address that deposits must name as their validator. */
  readonly identity: string;
  readonly pid: number;
  /** Time from the start of its process until it was ready, ms. */
  readonly readyAfterMs: number;
  /** Resolves when it has ended. */
  readonly ended: Promise<Ending>;
  stop(): Promise<void>;
}

/** How the validator ended. */
export interface Ending {
  /** Whether {@link ExternalValidator.stop} was called. If not, it ended by itself or hung. */
  readonly isAsked: boolean;
  readonly words: string;
}

const WATCH_MS = 5_000;

/**
 * Starts the validator and waits until it accepts transactions. Then requests its slot every few seconds and
 * stops it if it does not respond, because 0.8.3 can hang with a spinning thread.
 *
 * @throws {Error} if a port is taken, or the validator ends (with its last output), does not answer a call,
 *   or is not ready after 20 seconds. It is stopped then.
 */
export async function startExternalValidator(
  recipe: Recipe,
  { baseUrl, port, folder, callMsMax = CALL_MS_MAX, watchMs = WATCH_MS, stopMsMax }: LaunchOptions,
): Promise<ExternalValidator> {
  for (const each of [port, port + 1, port + 2]) await assertFree(each);
  const url = `http://127.0.0.1:${port}`;
  const startedMs = performance.now();
  const running = startProcess(recipe, {
    folder,
    args: argumentsOf(recipe, { baseUrl, port, folder }),
    // The option --metrics does not work. Without this, the metrics port is open to the network.
    env: { MBV_METRICS__ADDRESS: `127.0.0.1:${port + 2}` },
    ...(stopMsMax !== undefined && { stopMsMax }),
  });
  const name = `MagicBlock's validator ${recipe.version.version}`;
  try {
    const { version } = recipe;
    const hasEnded = (): boolean => running.pid() === undefined;
    const ready = becomeReady({ url, baseUrl, version, callMsMax, hasEnded });
    // The error of `ended` includes the last output, so it takes precedence.
    ready.catch(() => undefined);
    const identity = await Promise.race([ready, running.ended.then(fail)]);
    const readyAfterMs = performance.now() - startedMs;
    const pid = running.pid() as number;
    const call = (): Promise<unknown> => callRpc(url, 'getSlot', [], callMsMax);
    return { url, identity, pid, readyAfterMs, ...lookAfter(running, { name, call, watchMs }) };
  } catch (error) {
    const words = `${name} (process ${running.pid() ?? 'ended'}) did not become ready: ${(error as Error).message}`;
    await running.stop();
    throw new Error(words, { cause: error });
  }
}

function argumentsOf({ version }: Recipe, { baseUrl, port, folder }: LaunchOptions): string[] {
  const options = {
    remotes: baseUrl,
    lifecycle: 'ephemeral',
    listen: `127.0.0.1:${port}`,
    storage: join(folder, 'ledger'),
  };
  const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
  return [...args, '--reset', ...(version.needsTerminal ? [] : ['--no-tui'])];
}

const fail = (words: string): never => {
  throw new Error(words);
};

/** Options for the health checks. */
interface Watch {
  readonly name: string;
  readonly call: () => Promise<unknown>;
  readonly watchMs: number;
}

/** Checks the validator until it ends. Stops it if it does not respond, and reports that in its ending. */
function lookAfter(
  running: ValidatorProcess,
  { name, call, watchMs }: Watch,
): Pick<ExternalValidator, 'ended' | 'stop'> {
  let isAsked = false;
  let hung: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    try {
      await call();
    } catch (error) {
      // Other errors occur while it ends, which `ended` reports.
      if (error instanceof CallTimedOut && !isAsked) {
        hung = `${name} (process ${running.pid() ?? 'ended'}) hangs: ${error.message}. It was stopped`;
        return await running.stop();
      }
    }
    timer = setTimeout(() => void look(), watchMs).unref();
  };
  timer = setTimeout(() => void look(), watchMs).unref();
  const ended = running.ended.then((words): Ending => {
    clearTimeout(timer);
    return { isAsked, words: hung ?? words };
  });
  return {
    ended,
    async stop() {
      isAsked = true;
      await running.stop();
    },
  };
}

/** @throws {Error} if a loopback port is taken. */
async function assertFree(port: number): Promise<void> {
  const probe = createServer().listen(port, '127.0.0.1');
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
