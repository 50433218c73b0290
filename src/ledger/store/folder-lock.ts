import {
  closeSync,
  fstatSync,
  futimesSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';
import { systemClock } from '../../ports/clock.ts';
import { systemRandom } from '../../ports/random.ts';
import { type HolderLife, lifeOf, startTicksOf } from './holder-life.ts';

/** The file that says who holds a folder. */
export const LOCK_FILE = 'ledger.lock';

/** Processes that start at the same moment may each find a lock and then find it gone, so many times. */
const TRIES_MAX = 16;

/** Folders this very process holds: its own pid in a lock file tells nothing. */
const heldHere = new Set<string>();

/** How holders that cannot be seen show that they are there. */
interface Heartbeat {
  /** A holder touches its lock this often, ms. */
  readonly beatMs: number;
  /**
   * A lock nobody touched for this long is nobody's any more, ms. A holder that loads a large ledger touches
   * nothing.
   */
  readonly silenceMs: number;
}

const HEARTBEAT: Heartbeat = { beatMs: 1_000, silenceMs: 10_000 };

/**
 * How long a holder that is coming to its end is waited for, ms: a killed one may have much memory to give
 * back.
 */
const DYING_MS_MAX = 5_000;
const DYING_STEP_MS = 20;

/** Looks at a process of this machine. */
type LookAtHolder = (pid: number) => HolderLife;

/** By what a holder is known to be there. */
interface Signs extends Pick<Heartbeat, 'silenceMs'> {
  readonly look: LookAtHolder;
}

/** The sole use of a folder, until it is released. */
interface FolderLock {
  release(): void;
}

/** Who holds a folder; a lock has besides what tells it from all others. */
interface Holder {
  readonly pid: number;
  /** When that process began, because pids come round again. */
  readonly startedAt: string | null;
  /** Where its pid means something; null where that is not told. */
  readonly place: string | null;
}

/**
 * Takes a ledger folder for this process. A lock whose process is gone is taken over, be it that nobody has
 * waited for the end of that process yet; one that is coming to its end is waited for, up to 5 s. Processes
 * of another container or machine cannot be seen: their lock is taken over when its heartbeat has stopped,
 * and this call waits to see that.
 *
 * @param onLost is called when another process took the folder over, because this one stood still for too
 *   long.
 * @throws {ServiceError} LEDGER_FOLDER_IN_USE naming the process that holds it.
 */
export function lockFolder(
  folder: string,
  onLost: () => void = () => undefined,
  heartbeat: Heartbeat = HEARTBEAT,
  look: LookAtHolder = lifeOf,
): FolderLock {
  const file = join(folder, LOCK_FILE);
  if (heldHere.has(file)) throw inUse(folder, process.pid);
  const id = Buffer.from(systemRandom.bytes(8)).toString('hex');
  const own = `${file}.${id}`;
  const holder: Holder = { pid: process.pid, startedAt: startOf(process.pid), place: ownPlace() };
  writeFileSync(own, JSON.stringify({ ...holder, id }), { mode: 0o600 });
  const handle = openSync(own, 'r+');
  try {
    acquire(folder, own, file, { silenceMs: heartbeat.silenceMs, look });
  } catch (error) {
    closeSync(handle);
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
  heldHere.add(file);
  const beating = startBeating(handle, file, heartbeat.beatMs, onLost);
  let isReleased = false;
  return {
    release() {
      if (isReleased) return;
      isReleased = true;
      clearInterval(beating);
      heldHere.delete(file);
      if (isSameFile(handle, file)) rmSync(file, { force: true });
      closeSync(handle);
    },
  };
}

/**
 * Gives the file `own` the name `file` as well, which one process can at a time; its content comes with it. A
 * lock that was left behind may be replaced only by the holder of the lock on that, which is the same thing
 * under a longer name. So nothing is replaced but what was found to be abandoned, and a process that ends in
 * the middle is no harm.
 */
function acquire(folder: string, own: string, file: string, signs: Signs): void {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (tryLink(own, file)) return;
    const found = readIfThere(file);
    if (found === null) continue;
    const holder = parseHolder(found);
    if (holder !== null && isHeld(holder, file, signs)) {
      if (readIfThere(file) === found) throw inUse(folder, holder.pid);
      continue;
    }
    const guard = `${file}.next`;
    acquire(folder, own, guard, signs);
    if (readIfThere(file) === found) return renameSync(guard, file);
    rmSync(guard, { force: true });
  }
  throw new Error(`the lock file ${file} comes and goes`);
}

function inUse(folder: string, pid: number): ServiceError {
  return new ServiceError(
    'LEDGER_FOLDER_IN_USE',
    `The ledger in ${folder} is held by process ${pid}. Stop that process, or choose another folder with DATA_DIR`,
    { folder, pid },
  );
}

function tryLink(own: string, file: string): boolean {
  try {
    linkSync(own, file);
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

function parseHolder(content: string): Holder | null {
  // What is not JSON is no lock of ours: those are complete from the moment they are there.
  const { pid, startedAt, place } = Object(tryParseJson(content)) as Partial<Holder>;
  return Number.isSafeInteger(pid)
    ? { pid: pid as number, startedAt: startedAt ?? null, place: place ?? null }
    : null;
}

function isHeld(holder: Holder, file: string, { silenceMs, look }: Signs): boolean {
  const canBeSeen = holder.place === null || holder.place === ownPlace();
  return canBeSeen ? isThereToStay(holder, look) : isBeating(file, silenceMs);
}

/** Whether a holder runs; one that is coming to its end is waited for. */
function isThereToStay(holder: Holder, look: LookAtHolder): boolean {
  for (let waitedMs = 0; ; waitedMs += DYING_STEP_MS) {
    const life = lifeOfHolder(holder, look);
    if (life !== 'dies' || waitedMs >= DYING_MS_MAX) return life !== 'gone';
    pause(DYING_STEP_MS);
  }
}

function lifeOfHolder({ pid, startedAt }: Holder, look: LookAtHolder): HolderLife {
  if (pid === process.pid) return 'gone';
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    if (codeOf(error) !== 'EPERM') return 'gone';
  }
  const started = startOf(pid);
  const isAnother = startedAt !== null && started !== null && started !== startedAt;
  return isAnother ? 'gone' : look(pid);
}

/**
 * Watches a lock until it is touched, or has not been for long enough. Clocks of other machines are not
 * compared.
 */
function isBeating(file: string, silenceMs: number): boolean {
  const before = touchedAt(file);
  const stepMs = Math.max(1, Math.ceil(silenceMs / 100));
  for (let waitedMs = 0; waitedMs < silenceMs; waitedMs += stepMs) {
    pause(stepMs);
    if (touchedAt(file) !== before) return true;
  }
  return false;
}

/** Holds this thread up: a folder is opened before anything else is done. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function touchedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Touches the lock by its handle, so that never the lock of somebody else is touched. */
function startBeating(handle: number, file: string, beatMs: number, onLost: () => void): NodeJS.Timeout {
  const beating = setInterval(() => {
    try {
      const seconds = systemClock.now() / 1_000;
      futimesSync(handle, seconds, seconds);
      if (isSameFile(handle, file)) return;
    } catch {
      // Of a disk that fails those hear who write to it.
      return;
    }
    clearInterval(beating);
    onLost();
  }, beatMs);
  return beating.unref();
}

function isSameFile(handle: number, file: string): boolean {
  const { ino, dev } = fstatSync(handle);
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && found.ino === ino && found.dev === dev;
}

/**
 * When a process began, in Linux's own count since boot with the boot's id; null where that cannot be told.
 */
function startOf(pid: number): string | null {
  try {
    return `${bootId()}:${startTicksOf(readFileSync(`/proc/${pid}/stat`, 'latin1'))}`;
  } catch {
    return null;
  }
}

/**
 * Where the pids of this process mean something: the boot of the machine and the PID namespace; null
 * elsewhere than on Linux.
 */
function ownPlace(): string | null {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
