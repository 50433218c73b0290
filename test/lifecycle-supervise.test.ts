import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../src/ports/clock.ts';
import { HandTimer } from '../src/ports/testing/hand-timer.ts';
import { BEAT_MS, type Start } from '../src/supervisor/life.ts';
import { FAILED_STARTS_MAX } from '../src/supervisor/restart-policy.ts';
import { STOP_MS_MAX, type SuperviseOptions, Supervision } from '../src/supervisor/supervision.ts';
import { temporaryFolder } from './folders.ts';
import { isRunning, waitFor } from './stack-process.ts';

const ENTRY = fileURLToPath(new URL('lifecycle/scripted-child.mjs', import.meta.url));

interface Scripted {
  readonly supervision: Supervision;
  /** The arguments of each start so far. */
  starts(): (Start & { pid: number })[];
}

const superviseScript = (...script: string[]): Promise<Scripted> => superviseOn({}, ...script);

async function superviseOn(
  ports: Partial<Pick<SuperviseOptions, 'timer' | 'clock'>>,
  ...script: string[]
): Promise<Scripted> {
  const file = join(await temporaryFolder((remove) => onTestFinished(remove)), 'starts');
  const supervision = new Supervision({
    defaults: { settings: {}, scratchFolder: '' },
    entry: ENTRY,
    args: [file, ...script],
    clock: systemClock,
    ...ports,
  });
  onTestFinished(() => supervision.kill());
  const starts = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Start & { pid: number });
  return { supervision, starts };
}

describe('a supervision', () => {
  it.each([
    ['0', 0],
    ['78', 78],
    ['ready+0', 0],
    ['ready+78', 78],
    ['SIGHUP', 129],
    // An exception that is there at the start would be there at the next one, too.
    ['1', 1],
  ])('passes on the exit of a child that does "%s" as %i', async (word, exitCode) => {
    const { supervision, starts } = await superviseScript(word);
    expect(await supervision.ended).toEqual(expect.objectContaining({ exitCode }));
    const pid: number = expect.any(Number);
    expect(starts()).toEqual([
      {
        restarts: 0,
        worker: null,
        hasServed: false,
        death: null,
        ports: null,
        settings: {},
        scratchFolder: '',
        pid,
      },
    ]);
  });

  it.each([
    ['SIGABRT', 'SIGABRT'],
    ['SIGSEGV', 'SIGSEGV'],
    ['SIGKILL', 'SIGKILL'],
    ['1', 'exit code 1'],
  ])('restarts it after %s, with the same ports', async (word, death) => {
    const { supervision, starts } = await superviseScript(`ready+${word}`, '0');
    expect((await supervision.ended).exitCode).toBe(0);
    expect(starts()[1]).toMatchObject({ restarts: 1, death, ports: { PORT: 1000 } });
  });

  it('kills a child that stops sending heartbeats, restarts it, and logs it', async () => {
    const clock = { nowMs: 0, now: () => clock.nowMs };
    const timer = new HandTimer();
    const { supervision, starts } = await superviseOn({ timer, clock }, 'stuck', '0');
    // The watch begins with the first beat, and each look sets the next one.
    const looking = setInterval(() => {
      clock.nowMs += BEAT_MS;
      timer.pass(BEAT_MS);
    }, 10);
    onTestFinished(() => clearInterval(looking));
    expect((await supervision.ended).exitCode).toBe(0);
    const death = 'SIGKILL, by the supervisor, after no heartbeat for 5 s';
    expect(starts()[1]).toMatchObject({ restarts: 1, death, ports: { PORT: 1000 } });
  });

  it('remembers the ports after a failed start', async () => {
    const { supervision, starts } = await superviseScript('ready+SIGABRT', 'SIGABRT', '1', '0');
    await supervision.ended;
    expect(starts().map(({ ports }) => ports?.['PORT'])).toEqual([undefined, 1000, 1000, 1000]);
  });

  it('gives up when the child exits several times in a row before it is ready', async () => {
    const script = Array.from({ length: FAILED_STARTS_MAX + 1 }, () => 'SIGSEGV');
    const { supervision, starts } = await superviseScript(...script);
    const gaveUp = { deaths: FAILED_STARTS_MAX, lastDeath: 'SIGSEGV' };
    expect(await supervision.ended).toEqual({ exitCode: 70, gaveUp });
    expect(starts()).toHaveLength(FAILED_STARTS_MAX);
  });

  it('asks the child to stop, and does not restart it', async () => {
    const { supervision, starts } = await superviseScript('ready');
    await waitFor(() => starts()[0]);
    supervision.stop();
    expect(await supervision.ended).toEqual({ exitCode: 0 });
    expect(starts()).toHaveLength(1);
  });

  it('does not restart a child that exits during shutdown', async () => {
    const { supervision, starts } = await superviseScript('ready');
    // The list may be there before its first line is.
    const { pid } = await waitFor(() => starts()[0]);
    process.kill(pid, 'SIGSTOP');
    supervision.stop();
    process.kill(pid, 'SIGKILL');
    expect(await supervision.ended).toEqual({ exitCode: 137 });
  });

  it('kills a child that does not respond to the request (bug: a busy child never stopped)', async () => {
    const timer = new HandTimer();
    const { supervision, starts } = await superviseOn({ timer }, 'deaf');
    // The list may be there before its first line is.
    const { pid } = await waitFor(() => starts()[0]);
    supervision.stop();
    timer.pass(STOP_MS_MAX);
    expect(await supervision.ended).toEqual({ exitCode: 137, overdueMs: STOP_MS_MAX });
    expect(isRunning(pid)).toBe(false);
  });

  it('stops the child at once when it is stopped, and exits after the child', async () => {
    const { supervision, starts } = await superviseScript('ready');
    // The list may be there before its first line is.
    const { pid } = await waitFor(() => starts()[0]);
    supervision.kill();
    expect(await supervision.ended).toEqual({ exitCode: 130 });
    expect(isRunning(pid)).toBe(false);
  });
});
