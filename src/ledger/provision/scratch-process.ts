import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programOfSource } from './source-program.ts';
import type { DryRunReply, DryRunStep } from './scratch-steps.ts';

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

/** The child's program beside this file: the built one, or made of its source. */
function childProgram(here: string): string {
  if (here.endsWith('.js')) return fileURLToPath(new URL('scratch-child.js', here));
  return programOfSource(fileURLToPath(new URL('scratch-child.ts', here)));
}
