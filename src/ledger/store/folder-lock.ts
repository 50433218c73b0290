import { readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';

/** The file that says who holds a folder. */
export const LOCK_FILE = 'ledger.lock';

/** Processes that start at the same moment may each remove a stale lock once. */
const TRIES_MAX = 16;

/** Folders this very process holds: its own pid in a lock file tells nothing. */
const heldHere = new Set<string>();

/** The sole use of a folder, until it is released. */
export interface FolderLock {
  release(): void;
}

/** Who holds a folder: the pid, and when that process began, because pids come round again. */
interface Holder {
  readonly pid: number;
  readonly startedAt: string | null;
}

/**
 * Takes a ledger folder for this process. A lock whose process is gone is taken over.
 *
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE naming the process that holds it.
 */
export function lockFolder(folder: string): FolderLock {
  const file = join(folder, LOCK_FILE);
  if (heldHere.has(file)) throw inUse(folder, process.pid);
  const own = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) } satisfies Holder);
  for (let tries = 1; !tryWrite(file, own); tries++) {
    // Each try that fails has found a lock and removed it as stale, unless the file is no ordinary one.
    if (tries === TRIES_MAX) throw new Error(`the lock file ${file} can neither be read nor removed`);
    const found = readIfThere(file);
    const holder = found === null ? null : parseHolder(found);
    if (holder !== null && isRunning(holder)) throw inUse(folder, holder.pid);
    if (found !== null) removeStale(file, found);
  }
  heldHere.add(file);
  return {
    release() {
      heldHere.delete(file);
      rmSync(file, { force: true });
    },
  };
}

function inUse(folder: string, pid: number): ServiceError {
  return new ServiceError(
    'LEDGER_FOLDER_IN_USE',
    `The ledger in ${folder} is held by process ${pid}. Stop that process, or choose another folder with DATA_DIR`,
    { folder, pid },
  );
}

function tryWrite(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Moves the lock aside before it is removed: between reading and removing another process may have taken it over. */
function removeStale(file: string, content: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (readFileSync(aside, 'utf8') === content) unlinkSync(aside);
  else renameSync(aside, file);
}

function parseHolder(content: string): Holder | null {
  try {
    const { pid, startedAt } = JSON.parse(content) as Partial<Holder>;
    return Number.isSafeInteger(pid) ? { pid: pid as number, startedAt: startedAt ?? null } : null;
  } catch {
    // Written halfway when its process was killed.
    return null;
  }
}

function isRunning({ pid, startedAt }: Holder): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    if (codeOf(error) !== 'EPERM') return false;
  }
  const started = startOf(pid);
  return startedAt === null || started === null || started === startedAt;
}

/** When a process began, in Linux's own count since boot with the boot's id; null where that cannot be told. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Field 22 of proc(5); the name in field 2 may hold anything but ends at the last parenthesis.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}:${ticks}`;
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
