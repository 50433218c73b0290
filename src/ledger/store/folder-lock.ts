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

/** The lock file of a folder, which names its holder. */
export const LOCK_FILE = 'ledger.lock';

/** Attempts: processes that start at the same moment may each find a lock and then find it gone. */
const TRIES_MAX = 16;

/** Folders held by this very process: finding its own pid in a lock file proves nothing. */
const heldHere = new Set<string>();

/** How a holder that cannot be observed directly shows that it is alive. */
interface Heartbeat {
  /** How often a holder touches its lock, ms. */
  readonly beatMs: number;
  /**
   * A lock not touched for this long is abandoned, ms. A holder that is loading a large ledger touches
   * nothing meanwhile.
   */
  readonly silenceMs: number;
}

const HEARTBEAT: Heartbeat = { beatMs: 1_000, silenceMs: 10_000 };

/** How long an exiting holder is waited for, ms. A killed process may have much memory to release. */
const DYING_MS_MAX = 5_000;
const DYING_STEP_MS = 20;

/** Checks the life of a process on this machine. */
type LookAtHolder = (pid: number) => HolderLife;

/** How to tell that a holder is alive. */
interface Signs extends Pick<Heartbeat, 'silenceMs'> {
  readonly look: LookAtHolder;
}

/** Exclusive use of a folder until it is released. */
interface FolderLock {
  release(): void;
}

/** The holder of a folder, as the lock file describes it. */
interface Holder {
  readonly pid: number;
  /** The start time of the process, because pids are reused. */
  readonly startedAt: string | null;
  /** The scope in which the pid is meaningful; null if unknown. */
  readonly place: string | null;
}

/**
 * Takes exclusive use of a ledger folder for this process. A lock whose process has ended is taken over, even
 * if its parent has not reaped it yet; a holder that is exiting is waited for, up to 5 s. Processes of
 * another container or machine cannot be observed: their lock is taken over once its heartbeat stops, which
 * this call waits to see.
 *
 * @param onLost called if another process takes over the folder because this one was suspended for too long.
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
  // The handle stays with the file whatever its name, and so tells later whether the lock is still ours.
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
      // Another process may have taken the lock over; its file must stay.
      if (isSameFile(handle, file)) rmSync(file, { force: true });
      closeSync(handle);
    },
  };
}

/**
 * Links the file `own` to the name `file`, which exactly one process can do at a time; the content is
 * complete from the start. An abandoned lock may be replaced only by the holder of a second lock on that
 * lock, taken the same way under a longer name. So only a lock found abandoned is ever replaced, and a
 * process that dies half-way does no harm.
 */
function acquire(folder: string, own: string, file: string, signs: Signs): void {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (tryLink(own, file)) return;
    const found = readIfThere(file);
    if (found === null) continue;
    const holder = parseHolder(found);
    if (holder !== null && isHeld(holder, file, signs)) {
      // Watching the holder takes time, and the lock may have changed hands meanwhile.
      if (readIfThere(file) === found) throw inUse(folder, holder.pid);
      continue;
    }
    const guard = `${file}.next`;
    acquire(folder, own, guard, signs);
    // Nobody else can replace the lock while this process has the guard; it may have been replaced before.
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
  // Our lock files are complete as soon as they exist, so a file that is not JSON is not ours.
  const { pid, startedAt, place } = Object(tryParseJson(content)) as Partial<Holder>;
  return Number.isSafeInteger(pid)
    ? { pid: pid as number, startedAt: startedAt ?? null, place: place ?? null }
    : null;
}

function isHeld(holder: Holder, file: string, { silenceMs, look }: Signs): boolean {
  const canBeSeen = holder.place === null || holder.place === ownPlace();
  return canBeSeen ? isThereToStay(holder, look) : isBeating(file, silenceMs);
}

/** Whether a holder runs. An exiting one is waited for. */
function isThereToStay(holder: Holder, look: LookAtHolder): boolean {
  for (let waitedMs = 0; ; waitedMs += DYING_STEP_MS) {
    const life = lifeOfHolder(holder, look);
    if (life !== 'dies' || waitedMs >= DYING_MS_MAX) return life !== 'gone';
    pause(DYING_STEP_MS);
  }
}

function lifeOfHolder({ pid, startedAt }: Holder, look: LookAtHolder): HolderLife {
  // This process does not hold the folder (`heldHere`), so an earlier process had the same pid, for example
  // pid 1 of a container.
  if (pid === process.pid) return 'gone';
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    if (codeOf(error) !== 'EPERM') return 'gone';
  }
  const started = startOf(pid);
  const isAnother = startedAt !== null && started !== null && started !== startedAt;
  return isAnother ? 'gone' : look(pid);
}

/**
 * Watches a lock until it is touched or has been silent for long enough. Clocks of other machines are not
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

/** Blocks this thread. A folder is opened before anything else happens. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function touchedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Touches the lock through its handle, so that it can never touch the lock of another process. */
function startBeating(handle: number, file: string, beatMs: number, onLost: () => void): NodeJS.Timeout {
  const beating = setInterval(() => {
    try {
      const seconds = systemClock.now() / 1_000;
      futimesSync(handle, seconds, seconds);
      if (isSameFile(handle, file)) return;
    } catch {
      // A failing disk is reported to whoever writes to it.
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

/** The start time of a process, in Linux ticks since boot together with the boot id; null if unknown. */
function startOf(pid: number): string | null {
  try {
    return `${bootId()}:${startTicksOf(readFileSync(`/proc/${pid}/stat`, 'latin1'))}`;
  } catch {
    return null;
  }
}

/**
 * The scope in which pids are meaningful here: the boot of the machine and the PID namespace. Null on
 * anything but Linux.
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
