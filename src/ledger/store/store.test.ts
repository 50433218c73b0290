import { describe, expect, it, onTestFinished } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import { accountOf } from '../testing/make-account.ts';
import { makeRecord } from '../testing/make-record.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openLedgerFolder } from './ledger-folder.ts';
import { MemoryStore } from './memory-store.ts';
import type { Commit, LedgerIdentity, LedgerStore, TimeAnchor } from './store.ts';

const random = new SeededRandom('store');
const a = addressOf(random.bytes(32));
const b = addressOf(random.bytes(32));
const wallet = (lamports: bigint) => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);
const identity: LedgerIdentity = {
  genesisHash: a,
  blockhashSeed: random.bytes(32),
  faucetSeed: random.bytes(32),
  identitySeed: random.bytes(32),
};

/** The place of a ledger while its store is closed and reopened. */
interface Place {
  open(options?: { readonly transactionsMax?: number }): LedgerStore;
}

function inMemory(): Place {
  let store: MemoryStore | undefined;
  return { open: (options) => (store ??= new MemoryStore(options)) };
}

function inFolder(): Place {
  const folder = temporaryFolder();
  return {
    open(options) {
      const store = openLedgerFolder(folder, options);
      onTestFinished(() => store.close());
      return store;
    },
  };
}

/** Commits a transaction to each slot; all name `a`, every third names `b` as well. */
async function landMany(store: LedgerStore, slots: readonly number[]): Promise<void> {
  for (const [index, slot] of slots.entries()) {
    const record = makeRecord(`${slot}`, { slot, index: 0 });
    await store.commit({ slotCeiling: slot, record, recordAddresses: index % 3 === 0 ? [a, b] : [a] });
  }
}

function slotsOf(records: Iterable<{ readonly slot: number }>): number[] {
  return Array.from(records, ({ slot }) => slot);
}

function slotsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

describe.each<[string, () => Place]>([
  ['in memory', inMemory],
  ['in a folder', inFolder],
])('a ledger stored %s', (_, makePlace) => {
  const open = () => makePlace().open();

  it('recognizes landed messages until their blockhashes have expired', async () => {
    const place = makePlace();
    const store = place.open();
    await store.commit({ slotCeiling: 1, identity });
    const digestOf = (n: number) => new Uint8Array(32).fill(n);
    const landed = (n: number) => store.hasMessage({ blockhashHeight: 600 + n, digest: digestOf(n) });
    for (let n = 0; n < 10; n++) {
      const message = { blockhashHeight: 600 + n, digest: digestOf(n), expiredBelow: 600 + n - 3 };
      await store.commit({
        slotCeiling: n,
        record: makeRecord(`${n}`, { slot: 600 + n, index: 0 }),
        recordAddresses: [a],
        message,
      });
      expect(landed(n)).toBe(true);
      expect(landed(n + 1)).toBe(false);
    }
    expect(store.hasMessage({ blockhashHeight: 608, digest: digestOf(9) })).toBe(false);
    await store.close();
    const again = place.open();
    const known = Array.from({ length: 10 }, (_unused, n) =>
      again.hasMessage({ blockhashHeight: 600 + n, digest: digestOf(n) }),
    );
    expect(known.slice(6)).toEqual([true, true, true, true]);
    expect(known.slice(0, 2)).toEqual([false, false]);
    await again.commit({ slotCeiling: 1, identity });
    expect(again.hasMessage({ blockhashHeight: 609, digest: digestOf(9) })).toBe(false);
  });

  it('is empty at first', () => {
    const store = open();
    expect(store.identity).toBeNull();
    expect(store.slotCeiling).toBe(0);
    expect([...store.accounts()]).toEqual([]);
    expect([...store.recordsFrom(0)]).toEqual([]);
    expect(store.recordCount).toBe(0);
    expect(store.firstSlot).toBe(0);
    expect(store.timeAnchors).toEqual([]);
    expect(store.recordsOf(600)).toEqual([]);
    expect([...store.recordsNaming({ address: a, limit: 10 })]).toEqual([]);
    expect(store.record(makeRecord('none', { slot: 1, index: 0 }).signature)).toBeNull();
  });

  it('returns what was committed', async () => {
    const store = open();
    const record = makeRecord('one', { slot: 600, index: 0 });
    await store.commit({ identity, slotCeiling: 700, accounts: [[a, wallet(1n)]], record });
    expect(store.identity).toEqual(identity);
    expect(store.slotCeiling).toBe(700);
    expect([...store.accounts()]).toEqual([[a, wallet(1n)]]);
    expect(store.record(record.signature)).toEqual(record);
    expect(store.recordCount).toBe(1);
  });

  it('replaces accounts and forgets those without lamports', async () => {
    const store = open();
    await store.commit({
      slotCeiling: 1,
      accounts: [
        [a, wallet(1n)],
        [b, wallet(2n)],
      ],
    });
    await store.commit({
      slotCeiling: 2,
      accounts: [
        [a, wallet(0n)],
        [b, wallet(3n)],
      ],
    });
    expect([...store.accounts()]).toEqual([[b, wallet(3n)]]);
  });

  it('returns transactions in the order in which they landed, from any slot', async () => {
    const store = open();
    const places = [
      [600, 0],
      [600, 1],
      [601, 0],
      [70_000, 0],
      [70_000, 256],
      [16_777_216, 1],
    ] as const;
    const records = places.map(([slot, index]) => makeRecord(`${slot}/${index}`, { slot, index }));
    for (const record of records) await store.commit({ slotCeiling: 1, record });
    expect([...store.recordsFrom(0)]).toEqual(records);
    expect([...store.recordsFrom(601)]).toEqual(records.slice(2));
    expect([...store.recordsFrom(16_777_217)]).toEqual([]);
    expect(store.recordsOf(600)).toEqual(records.slice(0, 2));
    expect(store.recordsOf(70_000)).toEqual(records.slice(3, 5));
    expect(store.recordsOf(602)).toEqual([]);
  });

  it('finds nothing for a text that is not a signature', () => {
    const store = open();
    for (const text of ['', 'not base58 0OIl', '1'.repeat(64), 'A'.repeat(500)]) {
      expect(store.record(text)).toBeNull();
    }
  });

  it('keeps the order of concurrent commits', async () => {
    const store = open();
    const commits: Commit[] = Array.from({ length: 300 }, (_commit, index) => ({
      slotCeiling: index,
      accounts: [[a, wallet(BigInt(index + 1))]],
      record: makeRecord(`at once ${index}`, { slot: 600, index }),
    }));
    await Promise.all(commits.map((commit) => store.commit(commit)));
    expect(store.slotCeiling).toBe(299);
    expect([...store.accounts()]).toEqual([[a, wallet(300n)]]);
    expect([...store.recordsFrom(0)].map((record) => record.index)).toEqual(
      commits.map((_commit, index) => index),
    );
  });

  it('pages through the transactions that name an address, newest first', async () => {
    const store = open();
    const slots = slotsFrom(600, 30);
    await landMany(store, slots);
    const named = slots.toReversed();
    expect(slotsOf(store.recordsNaming({ address: a, limit: 1_000 }))).toEqual(named);
    expect(slotsOf(store.recordsNaming({ address: b, limit: 1_000 }))).toEqual(
      slots.filter((_slot, index) => index % 3 === 0).toReversed(),
    );
    for (const limit of [1, 4, 7, 30]) {
      const seen: number[] = [];
      for (let page = [...store.recordsNaming({ address: a, limit })]; page.length > 0;) {
        seen.push(...slotsOf(page));
        const before = page.at(-1) as (typeof page)[number];
        page = [...store.recordsNaming({ address: a, limit, before })];
      }
      expect(seen).toEqual(named);
    }
    const place = (slot: number) => ({ slot, index: 0 });
    const between = { address: a, limit: 1_000, before: place(620), until: place(610) };
    expect(slotsOf(store.recordsNaming(between))).toEqual(slotsFrom(611, 9).toReversed());
    expect(slotsOf(store.recordsNaming({ ...between, limit: 2 }))).toEqual([619, 618]);
    expect([...store.recordsNaming({ ...between, before: place(611) })]).toEqual([]);
    expect([...store.recordsNaming({ ...between, limit: 0 })]).toEqual([]);
  });

  it('lists the transactions that name an address as of the call', async () => {
    const store = open();
    await landMany(store, slotsFrom(600, 5));
    const listed = store.recordsNaming({ address: a, limit: 1_000 });
    await store.commit({ identity, slotCeiling: 700 });
    expect([...store.recordsNaming({ address: a, limit: 1_000 })]).toEqual([]);
    expect(slotsOf(listed)).toEqual(slotsFrom(600, 5).toReversed());
  });

  it('keeps time anchors in order', async () => {
    const store = open();
    const anchors: TimeAnchor[] = [512, 600, 9_000].map((slot) => ({
      slot,
      unixMs: 1_767_225_600_000.25 + slot,
      slotMs: 400,
      afterSlot: slot - 7,
    }));
    for (const timeAnchor of anchors) await store.commit({ slotCeiling: 9_000, timeAnchor });
    expect(store.timeAnchors).toEqual(anchors);
  });

  it('drops everything before a second commit with an identity', async () => {
    const store = open();
    const timeAnchor: TimeAnchor = { slot: 512, unixMs: 1, slotMs: 400, afterSlot: 511 };
    await store.commit({ identity, slotCeiling: 700, accounts: [[a, wallet(1n)]], timeAnchor });
    await landMany(store, slotsFrom(600, 20));
    const before = makeRecord('605', { slot: 605, index: 0 });
    expect(store.record(before.signature)).toEqual(before);
    const anew: LedgerIdentity = { ...identity, genesisHash: b };
    await store.commit({ identity: anew, slotCeiling: 550, accounts: [[b, wallet(2n)]] });
    const expectAnew = () => {
      expect(store.identity).toEqual(anew);
      expect(store.slotCeiling).toBe(550);
      expect([...store.accounts()]).toEqual([[b, wallet(2n)]]);
      expect([...store.recordsFrom(0)]).toEqual([]);
      expect(store.recordsOf(605)).toEqual([]);
      expect([...store.recordsNaming({ address: a, limit: 10 })]).toEqual([]);
      expect(store.record(before.signature)).toBeNull();
      expect(store.recordCount).toBe(0);
      expect(store.timeAnchors).toEqual([]);
    };
    expectAnew();
    await landMany(store, slotsFrom(600, 20));
    expect(slotsOf(store.recordsFrom(0))).toEqual(slotsFrom(600, 20));
    expect(store.recordCount).toBe(20);
    await store.commit({ identity: anew, slotCeiling: 550, accounts: [[b, wallet(2n)]] });
    expectAnew();
  });
});

describe.each<[string, () => Place]>([
  ['in memory', inMemory],
  ['in a folder', inFolder],
])('the history of a ledger stored %s', (_, makePlace) => {
  /** The remaining history after all writes. */
  const land = async (transactionsMax: number, history: (store: LedgerStore) => Promise<void>) => {
    const place = makePlace();
    const store = place.open({ transactionsMax });
    await history(store);
    await store.close();
    return place.open({ transactionsMax });
  };

  it('forgets the oldest slots above its limit, but none of the newest 150', async () => {
    const store = await land(20, (opened) => landMany(opened, slotsFrom(1_000, 400)));
    const { firstSlot } = store;
    expect(firstSlot).toBeGreaterThanOrEqual(1_240);
    expect(firstSlot).toBeLessThanOrEqual(1_249);
    const kept = slotsFrom(firstSlot, 1_400 - firstSlot);
    expect(slotsOf(store.recordsFrom(0))).toEqual(kept);
    expect(slotsOf(store.recordsNaming({ address: a, limit: 1_000 }))).toEqual(kept.toReversed());
    expect(store.record(makeRecord('1000', { slot: 1_000, index: 0 }).signature)).toBeNull();
    expect(store.record(makeRecord(`${firstSlot}`, { slot: firstSlot, index: 0 }).signature)).not.toBeNull();
    expect(store.recordsOf(firstSlot - 1)).toEqual([]);
    expect(store.recordCount).toBe(400);
  });

  it('forgets a slot as a whole', async () => {
    const store = await land(5, async (opened) => {
      for (let index = 0; index < 30; index++) {
        await opened.commit({ slotCeiling: 1, record: makeRecord(`${index}`, { slot: 100, index }) });
      }
      expect(opened.recordsOf(100)).toHaveLength(30);
      await landMany(opened, [500, 501]);
    });
    expect(store.recordsOf(100)).toEqual([]);
    expect(store.firstSlot).toBe(101);
    expect(slotsOf(store.recordsFrom(0))).toEqual([500, 501]);
    expect(store.record(makeRecord('29', { slot: 100, index: 29 }).signature)).toBeNull();
  });

  it('counts blocks and not slots that were jumped over', async () => {
    const anchor = { unixMs: 0, slotMs: 400 };
    const store = await land(1, async (opened) => {
      await opened.commit({ slotCeiling: 1, timeAnchor: { ...anchor, slot: 10, afterSlot: 9 } });
      await landMany(opened, slotsFrom(100, 100));
      await opened.commit({ slotCeiling: 1, timeAnchor: { ...anchor, slot: 90_000, afterSlot: 199 } });
      await landMany(opened, slotsFrom(90_000, 80));
    });
    // Blocks from 129 to 199 and 90,000 to 90,079 are the newest 151.
    expect(store.firstSlot).toBeGreaterThanOrEqual(120);
    expect(store.firstSlot).toBeLessThanOrEqual(129);
    expect(store.recordsOf(129)).toHaveLength(1);
  });
});
