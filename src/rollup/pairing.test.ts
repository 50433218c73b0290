import { beforeEach, describe, expect, it } from 'vitest';
import { CrashStores, type StorePair, type Write } from './testing/crash-stores.ts';
import { openScene, type RollupScene } from './testing/rollup-scene.ts';

let stores: CrashStores;

beforeEach(() => {
  stores = new CrashStores();
});

/** Starts both ledgers and stops them. */
async function startOnce(of = stores, use: (open: RollupScene) => Promise<unknown> = async () => {}) {
  const open = await openScene(of.open());
  await use(open);
  await open.rollup.settled();
  await open.close();
}

/** One ledger restored to its state after `count` writes of both; the other one unchanged. */
function putBack(which: keyof StorePair, count: number): CrashStores {
  const isKept = ({ of }: Write, index: number): boolean => of !== which || index < count;
  return new CrashStores(stores.written.filter(isKept));
}

describe('two matching ledgers', () => {
  it('start again after a crash at any write of three starts', async () => {
    for (let starts = 0; starts < 3; starts++) await startOnce();
    const { written } = stores;
    const begun = written.findIndex(({ of }) => of === 'rollup');
    for (let count = begun + 1; count <= written.length; count++) {
      const crashed = new CrashStores(written.slice(0, count));
      await startOnce(crashed);
      await startOnce(crashed);
    }
  }, 60_000);

  it('start again after a crash during a reset of base', async () => {
    await startOnce(stores, async ({ base, rollup }) => {
      await base.resetLedger();
      await rollup.settled();
    });
    const { written } = stores;
    const begun = written.findIndex(({ of }) => of === 'rollup');
    for (let count = begun + 1; count <= written.length; count++) {
      await startOnce(new CrashStores(written.slice(0, count)));
    }
  }, 60_000);
});

describe('two ledgers of which one was restored from a backup', () => {
  it.each(['base', 'rollup'] as const)(
    'do not start with an earlier %s (bug: payments since then were undone silently)',
    async (which) => {
      await startOnce(stores, (open) => open.depositor(50n));
      const backup = stores.written.length;
      await startOnce(stores, async (open) => {
        const [alice, bob] = [await open.depositor(100n), await open.depositor(0n)];
        await open.must(open.rollup, alice, open.payment(alice, bob.address, 30n));
      });
      const mixed = putBack(which, backup);
      await expect(openScene(mixed.open())).rejects.toMatchObject({
        code: 'LEDGER_DAMAGED',
        message: expect.stringMatching(
          /from different times: base was last started .* \(slot \d+ of base\), .*--reset/,
        ),
      });
      // The other ledger is unchanged and still matches its own backup.
      await startOnce(stores);
    },
  );

  it('start if both were restored', async () => {
    await startOnce(stores, (open) => open.depositor(50n));
    const backup = new CrashStores(stores.written);
    await startOnce();
    await startOnce(backup);
  });
});
