import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JsonOutput } from '../../json/write-json.ts';
import { LARGE, Scan, type ScanStep } from './scan.ts';
import { ClientGone, Scans, type ScansOptions } from './scans.ts';

const IN_PROCESS_CLIENT = { address: 'client', isGone: () => false };
const LENGTH_MAX = 1_000;

/** Scans whose clock advances by 1 ms at each look, and whose turns begin when a test says so. */
class HandedScans {
  readonly scans: Scans;
  readonly #paused: (() => void)[] = [];
  #nowMs = 0;

  constructor(options: ScansOptions = {}) {
    this.scans = new Scans({
      now: () => (this.#nowMs += 1),
      pause: () => new Promise((resolve) => this.#paused.push(resolve)),
      turnMs: 3,
      ...options,
    });
  }

  /** Gives each scan that is broken off one turn. */
  async turn(): Promise<void> {
    for (const resume of this.#paused.splice(0)) resume();
    await nextTick();
  }

  async turnUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.turn();
  }

  run(scan: Scan, lengthMax = LENGTH_MAX, client = IN_PROCESS_CLIENT): JsonOutput | Promise<JsonOutput> {
    return this.scans.run(scan, lengthMax, client);
  }
}

/** A large scan of so many steps that notes each. */
function largeScan(noted: string[], name: string, stepCount: number, perStep = 0): Scan {
  return new Scan(function* () {
    noted.push(`${name} looks`);
    yield LARGE;
    noted.push(`${name} begins`);
    for (let step = 0; step < stepCount; step++) {
      noted.push(`${name}${step}`);
      yield perStep;
    }
    return name;
  });
}

describe('scans', () => {
  it('run at once if they are small', () => {
    const small = new Scan(function* (): Generator<ScanStep, JsonOutput> {
      for (let step = 0; step < 1_000; step++) yield 0;
      return 'small';
    });
    expect(new HandedScans().run(small)).toBe('small');
  });

  it('are interrupted when their turn is over (bug: one read blocked all others)', async () => {
    const noted: string[] = [];
    const handed = new HandedScans();
    const result = handed.run(largeScan(noted, 'a', 7));
    expect(noted.at(-1)).toBe('a2');
    await handed.turn();
    expect(noted.at(-1)).toBe('a5');
    await handed.turn();
    expect(await result).toBe('a');
  });

  it('run two at a time in alternating turns, and the third starts when one finishes', async () => {
    const noted: string[] = [];
    const handed = new HandedScans();
    const results = ['a', 'b', 'c'].map((name) => handed.run(largeScan(noted, name, 4)));
    expect(noted.filter((note) => note.endsWith('begins'))).toEqual(['a begins', 'b begins']);
    expect([handed.scans.running, handed.scans.waiting]).toEqual([2, 1]);
    await handed.turn();
    await handed.turnUntil(() => handed.scans.running === 0);
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
    // What it looked at before it had to wait is looked at again.
    expect(noted.filter((note) => note.startsWith('c ')).slice(-2)).toEqual(['c looks', 'c begins']);
    expect(noted.indexOf('c begins')).toBeGreaterThan(noted.indexOf('a3'));
  });

  it('take their snapshot without yielding, however long that takes', async () => {
    const noted: string[] = [];
    const handed = new HandedScans({ turnMs: 0 });
    const result = handed.run(
      new Scan(function* () {
        noted.push('first half');
        yield LARGE;
        noted.push('second half');
        yield 0;
        return 'done';
      }),
    );
    expect(noted).toEqual(['first half', 'second half']);
    await handed.turn();
    expect(await result).toBe('done');
  });

  it('stop when their answer is too long (bug: all of it was written, and then rejected)', async () => {
    const noted: string[] = [];
    const handed = new HandedScans();
    const result = handed.run(largeScan(noted, 'a', 100, 60), 200);
    const refusal = expect(result).rejects.toMatchObject({
      code: -32600,
      message: 'The answer would have more than 200 characters; request less at a time',
    });
    await handed.turnUntil(() => handed.scans.running === 0);
    await refusal;
    expect(noted.at(-1)).toBe('a3');
  });

  it('end when their client disconnects (bug: a scan continued)', async () => {
    const noted: string[] = [];
    const handed = new HandedScans();
    let isGone = false;
    const result = handed.run(largeScan(noted, 'a', 100), LENGTH_MAX, {
      address: 'client',
      isGone: () => isGone,
    });
    const end = expect(result).rejects.toThrow(ClientGone);
    isGone = true;
    await handed.turn();
    await end;
    expect(noted.at(-1)).toBe('a2');
    expect(handed.scans.running).toBe(0);
  });

  it('are rejected as busy if too many wait, not counting disconnected clients', async () => {
    const noted: string[] = [];
    const handed = new HandedScans({ atOnceMax: 1, waitingMax: 1 });
    let isGone = false;
    const first = handed.run(largeScan(noted, 'a', 4));
    const second = handed.run(largeScan(noted, 'b', 4), LENGTH_MAX, {
      address: 'client',
      isGone: () => isGone,
    });
    await expect(handed.run(largeScan(noted, 'c', 4))).rejects.toMatchObject({ code: -32005 });
    isGone = true;
    const end = expect(second).rejects.toThrow(ClientGone);
    const fourth = handed.run(largeScan(noted, 'd', 4));
    await end;
    await handed.turnUntil(() => handed.scans.running === 0);
    expect(await Promise.all([first, fourth])).toEqual(['a', 'd']);
    expect(handed.scans.waiting).toBe(0);
  });

  it('of one client do not delay another client (bug: two long ones delayed it for seconds)', async () => {
    const noted: string[] = [];
    const handed = new HandedScans();
    const noisy = ['a', 'b', 'c', 'd'].map((name) => handed.run(largeScan(noted, name, 40)));
    const quiet = handed.run(largeScan(noted, 'q', 4), LENGTH_MAX, {
      ...IN_PROCESS_CLIENT,
      address: 'quiet',
    });
    expect([handed.scans.running, handed.scans.waiting]).toEqual([3, 2]);
    expect(noted.at(-1)).toBe('q2');
    await handed.turn();
    expect(await quiet).toBe('q');
    // The place of its own is for others like it.
    expect([handed.scans.running, handed.scans.waiting]).toEqual([2, 2]);
    await handed.turnUntil(() => handed.scans.running === 0);
    expect(await Promise.all(noisy)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('that wait start in turn, one of each client', async () => {
    const noted: string[] = [];
    const handed = new HandedScans({ atOnceMax: 1 });
    const run = (name: string, address: string): unknown =>
      handed.run(largeScan(noted, name, 4), LENGTH_MAX, { ...IN_PROCESS_CLIENT, address });
    const results = [
      run('first', 'noisy'),
      run('reserved', 'quiet'),
      ...['n1', 'n2', 'n3'].map((name) => run(name, 'noisy')),
      run('q1', 'quiet'),
    ];
    await handed.turnUntil(() => handed.scans.running === 0);
    await Promise.all(results);
    const begun = noted.filter((note) => note.endsWith(' begins')).map((note) => note.split(' ', 1)[0]);
    expect(begun).toEqual(['first', 'reserved', 'n1', 'q1', 'n2', 'n3']);
  });

  it('release their place when they fail', async () => {
    const handed = new HandedScans({ atOnceMax: 1 });
    const failing = new Scan(function* () {
      yield LARGE;
      throw new Error('no');
    });
    await expect(handed.run(failing)).rejects.toThrow('no');
    expect(handed.scans.running).toBe(0);
  });
});
