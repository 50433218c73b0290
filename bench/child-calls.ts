import { spawn, type ChildProcess } from 'node:child_process';
import { onFirstCore } from './server-process.ts';

/** A process of the benchmark that is told what to do by messages and answers each with one. */
export interface Child {
  ask<Answer>(request: object): Promise<Answer>;
  stop(): void;
}

/**
 * Starts it on the first core; it says by a message that it is ready.
 *
 * @param flags for Node itself.
 */
export async function startChild(
  file: string,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<Child> {
  const [command, commandArgs] = onFirstCore([...flags, file, ...args]);
  const child = spawn(command, commandArgs, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await nextMessage(child);
  return {
    ask: <Answer>(request: object) => {
      const answer = nextMessage(child);
      child.send(request);
      return answer as Promise<Answer>;
    },
    stop: () => void child.kill(),
  };
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`a process of the benchmark ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}
