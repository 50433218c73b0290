import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';

/** How a process ends that does this after it has begun to listen for what nobody catches. */
function runWith(code: string): { readonly status: number | null; readonly stderr: string } {
  const script = `
    import { fail, failOnUncaught } from ${JSON.stringify(import.meta.resolve('./fail.ts'))};
    import { ServiceError } from ${JSON.stringify(import.meta.resolve('../errors/service-error.ts'))};
    import { gaveUpFailure } from ${JSON.stringify(import.meta.resolve('../workers/worker-failure.ts'))};
    const stopped = new ServiceError('LEDGER_STOPPED', 'the disk is full');
    failOnUncaught();
    ${code}`;
  return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
}

it.each([
  ['a start that the user can mend', 'fail(stopped);', EXIT_CODES.config],
  [
    'a folder that another process holds (bug: with 78, which service managers do not try again)',
    "fail(new ServiceError('LEDGER_FOLDER_IN_USE', 'held by process 7'));",
    75,
  ],
  ['a port that is taken', "fail(new ServiceError('PORT_IN_USE', 'held by process 7'));", EXIT_CODES.config],
  [
    'a port that is taken at a restart (bug: with 78, after which the supervisor started nothing again)',
    "fail(new ServiceError('PORT_IN_USE', 'held by process 7'), true);",
    EXIT_CODES.held,
  ],
  [
    'a worker that cannot be had',
    'fail(gaveUpFailure(2, 5, { exitCode: null, signal: "SIGABRT", readyForMs: null }));',
    EXIT_CODES.gaveUp,
  ],
  ['a start with a bug', 'fail(new Error("bug"));', EXIT_CODES.fault],
  ['a rejection nobody handled, be it of a known kind', 'void Promise.reject(stopped);', EXIT_CODES.fault],
  ['an exception nobody caught', 'setImmediate(() => { throw stopped; });', EXIT_CODES.fault],
])('%s ends the process with the code for it', (_, code, status) => {
  const ended = runWith(code);
  expect(ended.status, ended.stderr).toBe(status);
  expect(ended.stderr).toMatch(
    /the disk is full|held by process 7|bug|worker 2 .* died 5 times in a row .* by SIGABRT/,
  );
});
