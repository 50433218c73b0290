import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { becomeReady } from './become-ready.ts';
import type { Recipe } from './probe.ts';
import { CALL_MS_MAX, callRpc, CallTimedOut } from './rpc.ts';
import { startProcess, type ValidatorProcess } from './validator-process.ts';

/** Where the validator runs. */
interface LaunchOptions {
  /** RPC of its base chain; its WebSocket is one port above. */
  readonly baseUrl: string;
  /** It takes this port, the next one for WebSocket, and the one after for its metrics. */
  readonly port: number;
  /** Where it keeps its ledger, which begins anew, and this launcher its files. */
  readonly folder: string;
  /** How long each call to it may take, ms. */
  readonly callMsMax?: number;
  /** How often it is looked after once it is ready, ms. */
  readonly watchMs?: number;
  /** How long it may take to end after SIGTERM before it is killed, ms. */
  readonly stopMsMax?: number;
}

/** The validator, running and ready for transactions. */
export interface ExternalValidator {
  readonly url: string;
  /** Its key, as deposits have to name it. */
  readonly identity: string;
  readonly pid: number;
  /** From the start of its process, ms. */
  readonly readyAfterMs: number;
  /** Resolves when it has ended. */
  readonly ended: Promise<Ending>;
  stop(): Promise<void>;
}

/** How the validator ended. */
export interface Ending {
  /** Whether {@link ExternalValidator.stop} was called; if not, it ended by itself or hung. */
  readonly isAsked: boolean;
  readonly words: string;
}

const WATCH_MS = 5_000;

/**
 * Starts the validator and waits until transactions can run on it. From then on it is asked for its slot
 * every few seconds, and stopped when it does not answer: 0.8.3 was seen to hang with a thread that spins.
 *
 * @throws {Error} when a port is taken, with its last words when it ends before it is ready, and naming the
 *   validator when it leaves a call unanswered or takes longer than 20 seconds; it is stopped then.
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
    // Its option --metrics is broken, and what it listens on without this is open to the network.
    env: { MBV_METRICS__ADDRESS: `127.0.0.1:${port + 2}` },
    ...(stopMsMax !== undefined && { stopMsMax }),
  });
  const name = `MagicBlock's validator ${recipe.version.version}`;
  try {
    const { version } = recipe;
    const hasEnded = (): boolean => running.pid() === undefined;
    const ready = becomeReady({ url, baseUrl, version, callMsMax, hasEnded });
    // What it said last tells more than that it has ended.
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

/** What is looked after, and how. */
interface Watch {
  readonly name: string;
  readonly call: () => Promise<unknown>;
  readonly watchMs: number;
}

/** Asks it again and again until it ends; one that does not answer is stopped, and its ending says so. */
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
      // Another fault is of one that is ending, which is told by its end.
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

/** @throws {Error} when something else listens on a port of the loopback. */
async function assertFree(port: number): Promise<void> {
  const probe = createServer().listen(port, '127.0.0.1');
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
