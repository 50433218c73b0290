import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { LmdbTables } from '../lmdb-tables.ts';
import { comparePositions } from '../record-position.ts';
import type { RecordPosition } from '../store.ts';
import { addPositions, dropPositions, positionsUnder } from './mentions.ts';
import { decodePositions, encodePositions, ORIGIN } from './position-list.ts';
import { shortKey } from './short-key.ts';

const random = new SeededRandom('mentions');

function openTables(): LmdbTables {
  const tables = new LmdbTables(join(temporaryFolder(), 'ledger.mdb'));
  onTestFinished(() => tables.close());
  return tables;
}

/** Later positions than `from`, many of them of the same slot. */
function drawPositions(from: RecordPosition, count: number): RecordPosition[] {
  let { slot, index } = from;
  return Array.from({ length: count }, () => {
    const slots = random.integer(3) === 0 ? 1 + random.integer(2 ** random.integer(32)) : 0;
    index = slots === 0 ? index + 1 + random.integer(300) : random.integer(300);
    slot += slots;
    return { slot, index };
  });
}

describe('a list of positions', () => {
  it('is read as it was written', () => {
    for (let n = 0; n < 200; n++) {
      const from = { slot: random.integer(2 ** 32), index: random.integer(2 ** 31) };
      const positions = drawPositions(from, random.integer(70));
      expect(decodePositions(encodePositions(positions, from), from)).toEqual(positions);
    }
    const furthest = [{ slot: Number.MAX_SAFE_INTEGER, index: 2 ** 32 - 1 }];
    expect(decodePositions(encodePositions(furthest, ORIGIN), ORIGIN)).toEqual(furthest);
  });
});

describe('the positions under the short key of an address', () => {
  it('are those that were added and not dropped, after any steps', async () => {
    const tables = openTables();
    const { mentions } = tables;
    const keys = Array.from({ length: 4 }, () => shortKey(random.bytes(32)));
    const kept = keys.map((): RecordPosition[] => []);
    let last: RecordPosition = ORIGIN;
    for (let step = 0; step < 150; step++) {
      await tables.write(() => {
        for (const [at, key] of keys.entries()) {
          const added = drawPositions(last, random.integer(at === 0 ? 2 : 60));
          if (added.length === 0) continue;
          addPositions(mentions, key, added);
          kept[at]?.push(...added);
          last = added.at(-1) as RecordPosition;
        }
        const forgotten = kept[random.integer(4)]?.at(random.integer(100));
        if (forgotten === undefined || step % 3 > 0) return;
        for (const [at, key] of keys.entries()) {
          dropPositions(mentions, key, forgotten);
          kept[at] = (kept[at] ?? []).filter((each) => comparePositions(each, forgotten) > 0);
        }
      });
      for (const [at, key] of keys.entries()) {
        const wanted = (kept[at] ?? []).toReversed();
        const [oldest] = kept[at] ?? [];
        // An entry that has later ones keeps what was dropped of it.
        const found = [...positionsUnder(mentions, key)].filter(
          (each) => oldest !== undefined && comparePositions(each, oldest) >= 0,
        );
        expect(found).toEqual(wanted);
        const [before, until] = [wanted.at(random.integer(50)), wanted.at(random.integer(200))];
        const range = { ...(before && { before }), ...(until && { until }) };
        const between = [...positionsUnder(mentions, key, range)].filter(
          (each) => oldest !== undefined && comparePositions(each, oldest) >= 0,
        );
        expect(between).toEqual(
          wanted.filter(
            (each) =>
              (before === undefined || comparePositions(each, before) < 0) &&
              (until === undefined || comparePositions(each, until) > 0),
          ),
        );
      }
    }
  });

  it('leave nothing behind once all of them are dropped', async () => {
    const tables = openTables();
    const key = shortKey(random.bytes(32));
    const positions = drawPositions(ORIGIN, 1_000);
    await tables.write(() => addPositions(tables.mentions, key, positions));
    expect(tables.mentions.count).toBeGreaterThan(10);
    await tables.write(() => dropPositions(tables.mentions, key, positions.at(-1) as RecordPosition));
    expect(tables.mentions.count).toBe(0);
  });
});
