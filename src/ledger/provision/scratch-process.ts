import { fork, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { DryRunReply, DryRunStep } from './scratch-steps.ts';

/** The longest a dry run may take, ms: time for thousands of programs. */
const DRY_RUN_MS_MAX = 120_000;

/** A process with an engine of its own, which may die of what it is given. */
export interface ScratchProcess {
  /**
   * Answers what came of a step; null when the process died of it.
   *
   * @throws {Error} when there is no process, for want of memory or the like.
   */
  take(step: DryRunStep): Promise<DryRunReply | null>;
  /** Ends the process; resolves once it is gone. */
  end(): Promise<void>;
}

/** Starts a scratch process. It sees nothing of this one's environment and is heard by nobody. */
export function startScratchProcess(): ScratchProcess {
  const { file, execArgv } = childProgram(import.meta.url);
  const child = fork(file, {
    execArgv,
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
    // When it cannot be sent, the process is gone, and its end is the answer.
    child.send(step, () => {});
  });
}

/** The child's program beside this file: built, or as it is written, which takes a loader. */
function childProgram(here: string): { file: string; execArgv: string[] } {
  const isBuilt = here.endsWith('.js');
  const file = fileURLToPath(new URL(isBuilt ? 'scratch-child.js' : 'scratch-child.ts', here));
  if (isBuilt) return { file, execArgv: [] };
  const loader = createRequire(here).resolve('tsx');
  return { file, execArgv: ['--import', pathToFileURL(loader).href] };
}
