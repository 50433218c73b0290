import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TransactionError } from '../transaction-errors.ts';
import { programOfSource } from './source-program.ts';

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
