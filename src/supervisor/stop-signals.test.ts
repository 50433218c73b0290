import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { onStopSignals } from './stop-signals.ts';

/** The calls after signals at the times in `signals`, in ms. */
function callsAfter(signals: readonly (readonly ['SIGTERM' | 'SIGINT', number])[]): string[] {
  const source = new EventEmitter();
  const calls: string[] = [];
  let nowMs = 0;
  const handlers = { first: () => void calls.push('first'), again: () => void calls.push('again') };
  onStopSignals(handlers, { now: () => nowMs }, source);
  for (const [signal, atMs] of signals) {
    nowMs = atMs;
    source.emit(signal);
  }
  return calls;
}

describe('stop signals', () => {
  it('count once if they arrive together (bug: signalling both process and group exited with 130)', () => {
    const together = [
      ['SIGTERM', 1_000],
      ['SIGTERM', 1_003],
      ['SIGINT', 1_499],
    ] as const;
    expect(callsAfter(together)).toEqual(['first']);
  });

  it('exit immediately if a second one arrives later', () => {
    const apart = [
      ['SIGINT', 1_000],
      ['SIGTERM', 1_500],
      ['SIGINT', 9_000],
    ] as const;
    expect(callsAfter(apart)).toEqual(['first', 'again', 'again']);
  });

  it('count separately if the clock was set back between them', () => {
    expect(
      callsAfter([
        ['SIGINT', 90_000],
        ['SIGINT', 1_000],
      ]),
    ).toEqual(['first', 'again']);
  });
});
