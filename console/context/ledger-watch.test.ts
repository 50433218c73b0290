import { describe, expect, it } from 'vitest';
import type { Feeds } from '../readers/feed.ts';
import type { ConsoleState } from './console-state.ts';
import { pastOf, watchBase } from './ledger-watch.ts';

/** A base ledger with a past whose slots the test sets; null if it does not answer. */
function begin() {
  let tell: (event: unknown) => void = () => undefined;
  let asked = 0;
  const ledger: { past: string | null } = { past: 'first' };
  const feeds = {
    of: () => ({
      subscribe: (_: string, __: readonly unknown[], onEvent: (event: unknown) => void) => {
        tell = onEvent;
        return () => undefined;
      },
    }),
  } as unknown as Feeds;
  const ask = async (): Promise<string | null> => {
    asked += 1;
    return ledger.past;
  };
  let others = 0;
  const end = watchBase(feeds, 'first', ask, () => {
    others += 1;
  });
  const slots = async (...told: readonly (number | undefined)[]): Promise<void> => {
    for (const slot of told) {
      tell(slot === undefined ? undefined : { slot, parent: slot - 1, root: slot - 1 });
      await new Promise(setImmediate);
    }
  };
  return { ledger, slots, end, counts: () => ({ asked, others }) };
}

describe('a watched base ledger', () => {
  it('receives no requests as long as its slots advance', async () => {
    const { slots, counts } = begin();
    await slots(1, 2, 3, 9_003);
    expect(counts()).toEqual({ asked: 0, others: 0 });
  });

  it('that was reset counts as a new ledger, which is reported once', async () => {
    const { ledger, slots, counts } = begin();
    await slots(700, 701);
    ledger.past = 'second';
    await slots(1, 2, 3);
    expect(counts()).toEqual({ asked: 1, others: 1 });
  });

  it('that was reset while the feed was down is noticed, even if its slots are higher by then', async () => {
    const { ledger, slots, counts } = begin();
    await slots(3);
    ledger.past = 'second';
    await slots(undefined, 8);
    expect(counts()).toEqual({ asked: 1, others: 1 });
  });

  it('that has the same past is the same ledger', async () => {
    const { slots, counts } = begin();
    await slots(700, 699, 700, undefined);
    expect(counts()).toEqual({ asked: 2, others: 0 });
  });

  it('that does not answer is asked again', async () => {
    const { ledger, slots, counts } = begin();
    await slots(700);
    ledger.past = null;
    await slots(1);
    ledger.past = 'second';
    await slots(2, 3);
    expect(counts()).toEqual({ asked: 2, others: 1 });
  });

  it('is no longer followed after the watch ends', async () => {
    const { ledger, slots, end, counts } = begin();
    ledger.past = 'second';
    const asked = slots(700, 1);
    end();
    await asked;
    expect(counts().others).toBe(0);
  });
});

it('has another past if the genesis hash differs, and after each restored snapshot', () => {
  const past = (genesisHash: string, returned: number | null): string =>
    pastOf({ base: { genesisHash }, returned } as ConsoleState);
  expect(new Set([past('a', null), past('a', 0), past('a', 1), past('b', 1)]).size).toBe(4);
  expect(past('a', 1)).toBe(past('a', 1));
});
