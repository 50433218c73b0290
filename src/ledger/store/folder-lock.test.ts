import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ServiceError } from '../../errors/service-error.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { LOCK_FILE, lockFolder } from './folder-lock.ts';
import type { HolderLife } from './holder-life.ts';

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
    'takes over from a killed process that nobody has waited for (bug: it held the folder for ever)',
    async () => {
      const folder = temporaryFolder();
      // The shell starts one process and becomes another, which knows of no child.
      const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000']);
      onTestFinished(() => void parent.kill('SIGKILL'));
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(String(line));
      const stateOf = (of: number): string => readFileSync(`/proc/${of}/stat`, 'latin1');
      while (!stateOf(parent.pid as number).includes('(sleep)')) await setImmediate();
      writeFileSync(join(folder, LOCK_FILE), JSON.stringify({ pid, startedAt: null }));
      process.kill(pid, 'SIGKILL');
      while (!stateOf(pid).includes(') Z ')) await setImmediate();
      lockFolder(folder).release();
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('waits for a holder that is coming to its end, and takes over then', async () => {
    const folder = temporaryFolder();
    const { pid } = await startProcess();
    writeFileSync(join(folder, LOCK_FILE), JSON.stringify({ pid, startedAt: null }));
    const lives: HolderLife[] = ['dies', 'dies', 'gone'];
    lockFolder(folder, undefined, undefined, () => lives.shift() as HolderLife).release();
    expect(lives).toEqual([]);
  });

  it('refuses the folder of a holder whose end does not come within 5 s', async () => {
    const folder = temporaryFolder();
    const { pid } = await startProcess();
    writeFileSync(join(folder, LOCK_FILE), JSON.stringify({ pid, startedAt: null }));
    let waitedMs = 0;
    const waiting = vi.spyOn(Atomics, 'wait').mockImplementation((_array, _index, _value, ms = 0) => {
      waitedMs += Number(ms);
      return 'timed-out';
    });
    onTestFinished(() => waiting.mockRestore());
    expect(() => lockFolder(folder, undefined, undefined, () => 'dies')).toThrow(
      expect.objectContaining({ code: 'LEDGER_FOLDER_IN_USE' }),
    );
    expect(waitedMs).toBe(5_000);
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

  it('takes over from a process that ended while it was taking over from another one', () => {
    const folder = temporaryFolder();
    for (const name of [LOCK_FILE, `${LOCK_FILE}.next`]) {
      writeFileSync(join(folder, name), JSON.stringify({ pid: process.pid, startedAt: null }));
    }
    const lock = lockFolder(folder);
    expect(readdirSync(folder)).toEqual([LOCK_FILE]);
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('lets go once, and of no lock but its own', () => {
    const folder = temporaryFolder();
    const first = lockFolder(folder);
    first.release();
    const second = lockFolder(folder);
    first.release();
    expect(refusal(folder).code).toBe('LEDGER_FOLDER_IN_USE');
    writeFileSync(join(folder, 'other'), '{}');
    renameSync(join(folder, 'other'), join(folder, LOCK_FILE));
    second.release();
    expect(readdirSync(folder)).toEqual([LOCK_FILE]);
  });
});

describe('a lock of a place whose processes cannot be seen', () => {
  const HEARTBEAT = { beatMs: 20, silenceMs: 400 };

  function lockedElsewhere(): { folder: string; file: string } {
    const folder = temporaryFolder();
    const file = join(folder, LOCK_FILE);
    // Another container whose first process has the pid of this one.
    const holder = { pid: process.pid, startedAt: 'then', place: 'another boot pid:[1]' };
    writeFileSync(file, JSON.stringify(holder));
    return { folder, file };
  }

  it('is respected while it is touched', async () => {
    const { folder, file } = lockedElsewhere();
    const touching = `const fs = require('fs'); let time = 1; console.log('up');
      setInterval(() => { time++; fs.utimesSync(${JSON.stringify(file)}, time, time); }, ${HEARTBEAT.beatMs});`;
    const child = spawn(process.execPath, ['-e', touching]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    expect(() => lockFolder(folder, undefined, HEARTBEAT)).toThrow(
      expect.objectContaining({ code: 'LEDGER_FOLDER_IN_USE' }),
    );
  });

  it('is taken over when it has not been touched for some time', () => {
    const { folder } = lockedElsewhere();
    lockFolder(folder, undefined, HEARTBEAT).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is touched by who holds it, who notices when it was taken over', async () => {
    const folder = temporaryFolder();
    const file = join(folder, LOCK_FILE);
    let lose = (): void => undefined;
    const lost = new Promise<void>((resolve) => {
      lose = resolve;
    });
    const lock = lockFolder(folder, lose, HEARTBEAT);
    const seen = new Set<number>();
    while (seen.size < 3) {
      seen.add(statSync(file).mtimeMs);
      await setImmediate();
    }
    writeFileSync(join(folder, 'other'), '{}');
    renameSync(join(folder, 'other'), file);
    await lost;
    lock.release();
    expect(existsSync(file)).toBe(true);
  });
});
