import { describe, expect, it } from 'vitest';
import type { Feeds } from '../readers/feeds.ts';
import type { Readers } from '../readers/readers.ts';
import { watchBase } from './ledger-watch.ts';

/** A base ledger that tells its slots by hand, with a genesis hash; null where it does not answer. */
function begin() {
  let tell: (event: unknown) => void = () => undefined;
  let asked = 0;
  const ledger: { genesisHash: string | null } = { genesisHash: 'first' };
  const feeds = {
    of: () => ({
      subscribe: (_: string, __: readonly unknown[], onEvent: (event: unknown) => void) => {
        tell = onEvent;
        return () => undefined;
      },
    }),
  } as unknown as Feeds;
  const acting = {
    fresh: async () => {
      asked += 1;
      return ledger.genesisHash === null ? { kind: 'failed' } : { kind: 'value', value: ledger.genesisHash };
    },
  };
  let others = 0;
  const end = watchBase({ feeds, readers: { acting } as unknown as Readers }, 'first', () => {
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

describe('a base ledger that is watched', () => {
  it('is asked nothing as long as its slots go on', async () => {
    const { slots, counts } = begin();
    await slots(1, 2, 3, 9_003);
    expect(counts()).toEqual({ asked: 0, others: 0 });
  });

  it('that was reset is another one, and that is told once', async () => {
    const { ledger, slots, counts } = begin();
    await slots(700, 701);
    ledger.genesisHash = 'second';
    await slots(1, 2, 3);
    expect(counts()).toEqual({ asked: 1, others: 1 });
  });

  it('that was reset while the feed was lost is noticed, though its slots are higher by then', async () => {
    const { ledger, slots, counts } = begin();
    await slots(3);
    ledger.genesisHash = 'second';
    await slots(undefined, 8);
    expect(counts()).toEqual({ asked: 1, others: 1 });
  });

  it('that has the same genesis hash is the same one', async () => {
    const { slots, counts } = begin();
    await slots(700, 699, 700, undefined);
    expect(counts()).toEqual({ asked: 2, others: 0 });
  });

  it('that does not answer is asked again', async () => {
    const { ledger, slots, counts } = begin();
    await slots(700);
    ledger.genesisHash = null;
    await slots(1);
    ledger.genesisHash = 'second';
    await slots(2, 3);
    expect(counts()).toEqual({ asked: 2, others: 1 });
  });

  it('is followed no more once the watch ends', async () => {
    const { ledger, slots, end, counts } = begin();
    ledger.genesisHash = 'second';
    const asked = slots(700, 1);
    end();
    await asked;
    expect(counts().others).toBe(0);
  });
});
