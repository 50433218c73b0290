import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Terminal } from './terminal.ts';
import { VerbCall } from './verb-call.ts';

describe('the progress line', () => {
  const lines: string[] = [];
  const terminal: Terminal = {
    env: {},
    home: '/',
    canAsk: true,
    isWatched: true,
    outputClosed: new Promise(() => {}),
    print: () => {},
    log: (text) => void lines.push(text),
    ask: async () => {
      await vi.advanceTimersByTimeAsync(60_000);
      return 'y';
    },
    readInput: () => Promise.resolve(''),
  };

  beforeEach(() => {
    lines.length = 0;
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
  });

  it('appears after a second', async () => {
    await new VerbCall([], new Map(), terminal).during('Sending', vi.advanceTimersByTimeAsync(1_000));
    expect(lines).toEqual(['Sending ...\n']);
  });

  it('does not appear while a question waits for its answer', async () => {
    const call = new VerbCall([], new Map(), terminal);
    const work = async (): Promise<string> => {
      await Promise.resolve();
      return call.terminal.ask('Sign it?');
    };
    expect(await call.during('Sending', work())).toBe('y');
    expect(lines).toEqual([]);
  });
});
