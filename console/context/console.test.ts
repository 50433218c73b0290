import { describe, expect, it } from 'vitest';
import type { Ledger } from '../parts/reader.ts';
import { createConsole } from './console.ts';

/** A console whose ledgers answer null, the batches that they got, and its timers. */
function begin() {
  const asked: Ledger[] = [];
  let timers: (() => void)[] = [];
  const console = createConsole({
    origin: 'http://127.0.0.1:1',
    rpc: {
      now: () => 0,
      post: async (ledger, body) => {
        asked.push(ledger);
        const calls = JSON.parse(body) as { readonly id: number }[];
        return JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: null })));
      },
    },
    openSocket: () => {
      throw new Error('nothing is followed here');
    },
    after: (_, then) => {
      timers.push(then);
      return () => undefined;
    },
    nowMs: () => 0,
  });
  /** Reads as views do whenever the epoch grows. */
  const read = async (): Promise<readonly Ledger[]> => {
    asked.length = 0;
    await Promise.all([console.readers.base.call('getSlot'), console.readers.anyone.call('getSlot')]);
    return [...asked];
  };
  const pass = (): void => {
    const due = timers;
    timers = [];
    for (const run of due) run();
  };
  return { console, read, pass };
}

describe('an event of a ledger', () => {
  it('reloads the page data at most once a second, however busy strangers are', () => {
    const { console, pass } = begin();
    const epochs = [console.epoch.value];
    for (let second = 0; second < 3; second += 1) {
      for (let events = 0; events < 100; events += 1) console.ledgerChanged('base');
      epochs.push(console.epoch.value);
      pass();
    }
    expect(epochs).toEqual([0, 1, 2, 3]);
  });

  it('on the rollup does not reload base, so private payments do not show in the calls to base', async () => {
    const { console, read } = begin();
    expect(await read()).toEqual(['base', 'rollup']);
    console.ledgerChanged('rollup');
    expect(await read()).toEqual(['rollup']);
    console.ledgerChanged('base');
    expect(await read()).toEqual(['base', 'rollup']);
    console.happened();
    expect(await read()).toEqual(['base', 'rollup']);
  });
});
