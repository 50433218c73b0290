import { describe, expect, it } from 'vitest';
import { HandTimer } from '../ports/testing/hand-timer.ts';
import { BEAT_MS, BeatWatch, SILENCE_MS_MAX } from './life.ts';

/** A watch whose time is moved by hand. */
function watched() {
  const timer = new HandTimer();
  const silences: number[] = [];
  let nowMs = 1_000_000;
  const watch = new BeatWatch({
    timer,
    clock: { now: () => nowMs },
    onSilent: (silentMs) => void silences.push(silentMs),
  });
  /** Advances the time. This process checks whenever a check is due. */
  const pass = (ms: number): void => {
    for (const endMs = nowMs + ms; nowMs < endMs;) {
      nowMs += BEAT_MS;
      timer.pass(BEAT_MS);
    }
  };
  /** Time during which this process does not run, so timers are late. */
  const standStill = (ms: number): void => {
    nowMs += ms;
    timer.pass(BEAT_MS);
  };
  return { watch, timer, silences, pass, standStill };
}

describe('the watch over the serving process', () => {
  it('reports five seconds of silence once', () => {
    const { watch, silences, pass } = watched();
    watch.note();
    pass(SILENCE_MS_MAX - BEAT_MS);
    expect(silences).toEqual([]);
    pass(10 * SILENCE_MS_MAX);
    expect(silences).toEqual([SILENCE_MS_MAX]);
  });

  it('reports nothing while heartbeats arrive', () => {
    const { watch, silences, pass } = watched();
    for (let beats = 0; beats < 20; beats++) {
      watch.note();
      pass(SILENCE_MS_MAX - BEAT_MS);
    }
    expect(silences).toEqual([]);
  });

  it('starts with the first beat, however long the start takes', () => {
    const { timer, silences, pass } = watched();
    pass(100 * SILENCE_MS_MAX);
    expect([silences, timer.size]).toEqual([[], 0]);
  });

  it.each([
    ['the machine slept, or this process was suspended', 3_600_000],
    ['the clock of the machine was set back', -3_600_000],
  ])('starts again if %s', (_, ms) => {
    const { watch, silences, pass, standStill } = watched();
    watch.note();
    pass(SILENCE_MS_MAX - BEAT_MS);
    standStill(ms);
    pass(SILENCE_MS_MAX - BEAT_MS);
    expect(silences).toEqual([]);
    pass(BEAT_MS);
    expect(silences).toEqual([SILENCE_MS_MAX]);
  });

  it('ends when it is stopped, even if a heartbeat is pending', () => {
    const { watch, timer, silences, pass } = watched();
    watch.note();
    watch.end();
    watch.note();
    pass(10 * SILENCE_MS_MAX);
    expect([silences, timer.size]).toEqual([[], 0]);
  });
});
