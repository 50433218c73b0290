import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ServiceError } from '../../errors/service-error.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { LOCK_FILE, lockFolder } from './folder-lock.ts';

function refusal(folder: string): ServiceError {
  try {
    lockFolder(folder).release();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('the folder was not refused');
}

async function startProcess(): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child as ChildProcess & { readonly pid: number };
}

describe('lockFolder', () => {
  it('lets go of a folder so that it can be taken again', () => {
    const folder = temporaryFolder();
    const lock = lockFolder(folder);
    expect(existsSync(join(folder, LOCK_FILE))).toBe(true);
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
    lockFolder(folder).release();
  });

  it('refuses a folder this process holds already', () => {
    const folder = temporaryFolder();
    const lock = lockFolder(folder);
    const error = refusal(folder);
    expect(error.code).toBe('LEDGER_FOLDER_IN_USE');
    expect(error.context).toEqual({ folder, pid: process.pid });
    lock.release();
  });

  it('refuses a folder a running process holds, naming both', async () => {
    const folder = temporaryFolder();
    const { pid } = await startProcess();
    writeFileSync(join(folder, LOCK_FILE), JSON.stringify({ pid, startedAt: null }));
    const error = refusal(folder);
    expect(error.code).toBe('LEDGER_FOLDER_IN_USE');
    expect(error.message).toContain(folder);
    expect(error.message).toContain(`process ${pid}`);
  });

  it('takes over from a process that is gone', async () => {
    const folder = temporaryFolder();
    const child = await startProcess();
    writeFileSync(join(folder, LOCK_FILE), JSON.stringify({ pid: child.pid, startedAt: null }));
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockFolder(folder).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(existsSync('/proc/self/stat'))(
    'takes over when the pid belongs to another process by now',
    async () => {
      const folder = temporaryFolder();
      const { pid } = await startProcess();
      writeFileSync(join(folder, LOCK_FILE), JSON.stringify({ pid, startedAt: 'long ago' }));
      lockFolder(folder).release();
    },
  );

  it('takes over from an earlier process that had the pid of this one, as happens in containers', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, LOCK_FILE), JSON.stringify({ pid: process.pid, startedAt: null }));
    lockFolder(folder).release();
  });

  it.each(['', '{"pid":', '"text"', 'null', '{"pid":"12"}'])(
    'takes over a lock that says nothing: %j',
    (content) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, LOCK_FILE), content);
      lockFolder(folder).release();
    },
  );
});
