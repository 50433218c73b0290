/**
 * Tests that `npx spp start --temp` leaves no process, listener or temporary folder behind, after a signal to
 * npx only or to its whole process group.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_MS_MAX = 120_000;
/** Longer than the 15 s in which the program finishes pending requests. */
const GONE_MS_MAX = 20_000;
const STEP_MS = 50;

/** The tested signals and their targets. */
const ENDINGS = [
  { signals: ['SIGTERM'], toGroup: false },
  { signals: ['SIGTERM'], toGroup: true },
  // Ctrl-C in a terminal.
  { signals: ['SIGINT'], toGroup: true },
  // npx forwards SIGINT to its shell, which waits for the program without forwarding it.
  { signals: ['SIGINT', 'SIGTERM'], toGroup: false },
];

/** Returns a process and all of its descendants, from /proc. */
function familyOf(pid) {
  const children = new Map();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const parent = parentOf(name);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = [pid];
  for (const each of family) family.push(...(children.get(each) ?? []));
  return family;
}

/** The parent of a process; null if the process is gone or a zombie. */
function parentOf(pid) {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return state === 'Z' ? null : Number(parent);
  } catch {
    return null;
  }
}

async function listens(port) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Waits for a condition. Returns false after a timeout. */
async function comes(isThere, withinMs) {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += STEP_MS) {
    if (await isThere()) return true;
    await sleep(STEP_MS);
  }
  return false;
}

/** Tests one way to end npx. @param env its cache has the programs of the ledger. */
async function tryEnding(home, scratch, env, { signals, toGroup }) {
  const what = `${signals.join(', then ')} to ${toGroup ? 'the process group of npx' : 'npx alone'}`;
  mkdirSync(scratch);
  const child = spawn('npx', ['--offline', 'spp', 'start', '--temp', '--json'], {
    cwd: home,
    env: { ...env, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const exited = once(child, 'exit');
  let family = [child.pid];
  try {
    const isReady = await comes(() => stdout.includes('\n') || child.exitCode !== null, READY_MS_MAX);
    if (!isReady || child.exitCode !== null) throw new Error(`never ready, exit code ${child.exitCode}`);
    const { service, base, rollup } = JSON.parse(stdout);
    const ports = [service, base, rollup].map((url) => Number(new URL(url).port));
    family = familyOf(child.pid);
    // Each ledger node has a WebSocket one port above.
    const doors = [...ports, ports[1] + 1, ports[2] + 1];
    for (const port of doors) if (!(await listens(port))) throw new Error(`nothing listens at ${port}`);
    if (readdirSync(scratch).length === 0) throw new Error('its folder is not where it is looked for');
    for (const signal of signals) process.kill(toGroup ? -child.pid : child.pid, signal);
    if (!(await comes(() => family.every((pid) => parentOf(pid) === null), GONE_MS_MAX))) {
      const left = family.filter((pid) => parentOf(pid) !== null);
      throw new Error(`${left.length} of ${family.length} processes are left`);
    }
    for (const port of doors) if (await listens(port)) throw new Error(`${port} still listens`);
    const left = readdirSync(scratch);
    if (left.length > 0) throw new Error(`${left.join(', ')} is left in the temporary folder`);
    const [code, by] = await exited;
    console.log(`${what} ends its ${family.length} processes; npx ends with ${code ?? by}. Nothing is left.`);
  } catch (error) {
    for (const pid of family) if (parentOf(pid) !== null) process.kill(pid, 'SIGKILL');
    throw new Error(`npx, ended by ${what}: ${error.message}\n${stderr}`, { cause: error });
  }
}

/** Tests all ways to end `npx spp start --temp`. */
export async function tryNpx(folder, home, env) {
  if (process.platform !== 'linux') {
    console.log('npx is not ended: whether anything is left is seen on Linux alone.');
    return;
  }
  for (const [index, ending] of ENDINGS.entries()) {
    await tryEnding(home, join(folder, `scratch-${index}`), env, ending);
  }
}
