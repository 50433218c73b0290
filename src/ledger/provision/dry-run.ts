import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../../errors/service-error.ts';
import { SYSVAR_OWNER } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LOADER_V4, LOADERS } from '../engine/engine.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import type { TransactionError } from '../transaction-errors.ts';

/** Time limit of a dry run, ms: enough for thousands of programs. */
const DRY_RUN_MS_MAX = 120_000;

/** A process with its own engine, which its input may abort. */
export interface ScratchProcess {
  /**
   * The result of a step; null if the process died of it.
   *
   * @throws {Error} if there is no process, e.g. for lack of memory.
   */
  take(step: DryRunStep): Promise<DryRunReply | null>;
  /** Ends the process; resolves once it has exited. */
  end(): Promise<void>;
}

/** Starts a scratch process. It gets an empty environment, and its output is discarded. */
export function startScratchProcess(): ScratchProcess {
  const child = fork(childProgram(import.meta.url), {
    execArgv: [],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: DRY_RUN_MS_MAX,
    killSignal: 'SIGKILL',
  });
  const death = new Promise<null>((resolve, reject) => {
    child.once('exit', () => resolve(null));
    child.once('error', reject);
  });
  const gone = death.then(
    () => undefined,
    () => undefined,
  );
  return {
    take: (step) => Promise.race([death, exchange(child, step)]),
    end: () => {
      child.kill('SIGKILL');
      return gone;
    },
  };
}

function exchange(child: ChildProcess, step: DryRunStep): Promise<DryRunReply> {
  return new Promise((resolve) => {
    child.once('message', (reply) => resolve(reply as DryRunReply));
    // A failed send means the process is gone; its exit answers the step.
    child.send(step, () => {});
  });
}

/** The program next to this file: the built one, or one compiled from source. */
function childProgram(here: string): string {
  if (here.endsWith('.js')) return fileURLToPath(new URL('scratch-child.js', here));
  return programOfSource(fileURLToPath(new URL('scratch-child.ts', here)));
}

/** A call of a program, made to see its answer. */
export interface ProgramCall {
  /** The program. */
  readonly address: Address;
  readonly data: Uint8Array;
  /** The number of accounts in the call. All of them are one wallet, which signs. */
  readonly accountCount: number;
}

/**
 * A step for the scratch process: set an account in its engine, name it as writable in a transaction, call it
 * as a program without accounts or data, or make a given call.
 */
export type DryRunStep =
  | ({ readonly kind: 'ask' } & ProgramCall)
  | { readonly kind: 'put'; readonly address: Address; readonly account: Account }
  | { readonly kind: 'lock'; readonly address: Address }
  | { readonly kind: 'call'; readonly address: Address };

/** The result of a step that the process survived. */
export interface DryRunReply {
  /** The engine's error; null if there was none. */
  readonly fault: string | null;
  /** Whether the called program ran at all. */
  readonly isCallable: boolean;
  /** How the given call ended; null if it succeeded. */
  readonly answer: TransactionError | null;
}

/** The compiled programs of this process, by source. */
const programs = new Map<string, string>();

/**
 * Compiles a TypeScript program into a file that Node can run, for processes started from source. A loader
 * would compile it again in each process, which takes four times as long as such a process runs.
 *
 * @param source the path of the program.
 * @returns a file under `node_modules`, where the imports of packages resolve.
 * @throws {Error} if it does not compile, or esbuild is not installed.
 */
export function programOfSource(source: string): string {
  const known = programs.get(source);
  if (known !== undefined) return known;
  const require = createRequire(import.meta.url);
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    entryPoints: [source],
  });
  const contents = (outputFiles[0] as { readonly contents: Uint8Array }).contents;
  const folder = join(
    dirname(require.resolve('esbuild/package.json')),
    '..',
    '.cache',
    'spl-private-payments',
  );
  const file = join(folder, `${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.mjs`);
  if (!existsSync(file)) {
    // Renamed, because other processes may read or write the same file.
    const draft = `${file}.${randomUUID()}`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(draft, contents);
    renameSync(draft, file);
  }
  programs.set(source, file);
  return file;
}

/** Runs tasks one at a time, in order of arrival. */
export class WorkQueue {
  readonly #waitingMax: number;
  /** Tasks waiting or running. */
  #count = 0;
  /** Settles when the last task is done, successfully or not. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param waitingMax how many tasks may wait while one runs. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /**
   * Runs `task` after everything queued before it and returns its result.
   *
   * @throws {ServiceError} SERVICE_BUSY if too many tasks wait; `task` is then not run.
   */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#count > this.#waitingMax) {
      const message = `${this.#waitingMax} dry runs are waiting already, which is the limit; try again in a second`;
      throw new ServiceError('SERVICE_BUSY', message);
    }
    this.#count++;
    const result = this.#last.then(task).finally(() => {
      this.#count--;
    });
    this.#last = result.catch(() => undefined);
    return await result;
  }
}

/** How many dry runs may wait; each takes a few tenths of a second. */
const WAITING_MAX = 64;

/**
 * Shared by all ledgers of this process: a dry run is a second process with an engine, and the machine has
 * memory for one at a time.
 */
const dryRuns = new WorkQueue(WAITING_MAX);

/** The findings of a dry run that succeeded. */
interface DryRun {
  /** Programs whose code does not load. They do no harm but cannot be called. */
  readonly uncallable: readonly Address[];
}

/**
 * Loads these accounts into an engine in a scratch process, so that an abort of the engine does not end this
 * process. Entries that the engine never parses are skipped; if none remain, no process is started. One dry
 * run runs at a time.
 *
 * @param nameOf names an account in an error: its address or its origin.
 * @throws {ServiceError} PROVISION_INVALID naming the account that the engine refuses or aborts on;
 *   SERVICE_BUSY if too many dry runs wait.
 */
export async function dryRunAccounts(
  entries: readonly AccountEntry[],
  nameOf: (address: Address) => string = (address) => address,
): Promise<DryRun> {
  const risky = inEngineOrder(entries.filter(needsDryRun));
  if (risky.length === 0) return { uncallable: [] };
  return await inScratchProcess(nameOf, async (take) => {
    await loadAll(take, risky);
    for (const [address] of risky) await take({ kind: 'lock', address });
    const uncallable: Address[] = [];
    for (const [address, { executable }] of risky) {
      if (!executable) continue;
      const { isCallable } = await take({ kind: 'call', address });
      if (!isCallable) uncallable.push(address);
    }
    return { uncallable };
  });
}

/**
 * Calls programs in an engine of a scratch process that holds only these accounts and those built into every
 * ledger. Returns how each call ended, in order.
 *
 * @param nameOf names an account in an error.
 * @throws {ServiceError} as {@link dryRunAccounts}.
 */
export async function askPrograms(
  entries: readonly AccountEntry[],
  calls: readonly ProgramCall[],
  nameOf: (address: Address) => string,
): Promise<readonly (TransactionError | null)[]> {
  return await inScratchProcess(nameOf, async (take) => {
    await loadAll(take, inEngineOrder(entries));
    const answers: (TransactionError | null)[] = [];
    for (const call of calls) answers.push((await take({ kind: 'ask', ...call })).answer);
    return answers;
  });
}

/** Runs a step in the scratch process. */
type Take = (step: DryRunStep) => Promise<DryRunReply>;

function inScratchProcess<T>(
  nameOf: (address: Address) => string,
  use: (take: Take) => Promise<T>,
): Promise<T> {
  return dryRuns.run(async () => {
    const scratch = startScratchProcess();
    try {
      return await use((step) => runStep(scratch, step, nameOf));
    } finally {
      await scratch.end();
    }
  });
}

async function runStep(
  scratch: ScratchProcess,
  step: DryRunStep,
  nameOf: (address: Address) => string,
): Promise<DryRunReply> {
  const reply = await scratch.take(step);
  if (reply?.fault === null) return reply;
  const why = reply === null ? 'the engine aborts on it' : `the engine refuses it (${reply.fault})`;
  throw new ServiceError('PROVISION_INVALID', `${nameOf(step.address)} cannot be loaded: ${why}`, {
    account: step.address,
  });
}

async function loadAll(take: Take, entries: readonly AccountEntry[]): Promise<void> {
  for (const [address, account] of entries) await take({ kind: 'put', address, account });
}

/** Owners whose accounts the engine parses as soon as they are set: programs, code, sysvars. */
const READ_BY_ENGINE: ReadonlySet<Address> = new Set([...LOADERS, LOADER_V4, SYSVAR_OWNER]);

/**
 * Whether bad data in the account could abort the process, so that it must be tried in a scratch process
 * first.
 */
export function needsDryRun([address, { owner, executable }]: AccountEntry): boolean {
  return executable || READ_BY_ENGINE.has(owner) || address.startsWith('Sysvar');
}

/** The entries in the order the engine needs: programs after their ProgramData. */
export function inEngineOrder(entries: readonly AccountEntry[]): AccountEntry[] {
  const isProgram = ([, { executable }]: AccountEntry): boolean => executable;
  return [...entries.filter((entry) => !isProgram(entry)), ...entries.filter(isProgram)];
}
