import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { open } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SeededRandom } from '../testing/seeded-random.ts';
import type { KeyRange } from './account-keys.ts';
import { ALL_OWNED } from './account-keys.ts';
import { ledgerDamaged } from './damage.ts';
import { BRANCH_FLAG, FLAGS_AT, treeOf } from './lmdb-layout.ts';
import { LmdbTables, type PinnedMoment } from './lmdb-tables.ts';
import { OpenFile } from './open-file.ts';
import { PageWalk } from './page-walk.ts';
import { SUM_BYTES } from './sealed-table.ts';

/** How often each random thing is done: `PAGE_WALKS` for more. */
const TURNS = Number(process.env['PAGE_WALKS'] ?? 1);
const SEED = process.env['PAGE_WALK_SEED'] ?? 'pages';
const KEY_BYTES_MAX = 511;
/** Where pages have 512 bytes. */
const SHORT_KEY_BYTES_MAX = 186;
/** The longest node that lies in its page, of 4 KiB, and what the first page of a long value holds. */
const NODE_BYTES_MAX = 2_034;
const FIRST_PAGE_BYTES = 4_072;

let random: SeededRandom;
let folder: string;
let file: string;
let tables: LmdbTables;

beforeEach(() => {
  random = new SeededRandom(SEED);
  folder = mkdtempSync(join(tmpdir(), 'spl-pages-'));
  file = join(folder, 'ledger.mdb');
});
afterEach(async () => {
  await tables.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Bytes of a value, at and around every border that LMDB knows, and anywhere. */
function drawLength(keyBytes: number): number {
  const around = (length: number): number => Math.max(0, length - SUM_BYTES - 3 + random.integer(7));
  switch (random.integer(8)) {
    case 0:
      return around(NODE_BYTES_MAX - 8 - keyBytes);
    case 1:
      return around(FIRST_PAGE_BYTES);
    case 2:
      return around(FIRST_PAGE_BYTES + 4_096 * (1 + random.integer(3)));
    case 3:
      return random.integer(40) === 0 ? 64 * 1024 + random.integer(100_000) : random.integer(3);
    default:
      return random.integer(400);
  }
}

/** Some begin alike, some are as long as keys may be. */
function drawKey(bytesMax = KEY_BYTES_MAX): Buffer {
  const length = random.integer(6) === 0 ? 1 + random.integer(bytesMax) : 40;
  const key = Buffer.alloc(length, 1 + random.integer(3));
  const drawn = random.bytes(2);
  key.set(drawn.subarray(0, Math.min(2, length)), Math.max(0, Math.min(38, length - 2)));
  return key;
}

/** So many bytes; those of another draw differ. */
const drawValue = (length: number): Buffer => Buffer.alloc(length, Buffer.from(random.bytes(8)));

/** Puts, overwrites and removes. */
function change(changes: number, removed: number): Promise<void> {
  const present = [...tables.owned.range(ALL_OWNED)].map(([key]) => key);
  const plan = Array.from({ length: changes }, () => {
    const isOld = present.length > 0 && random.integer(2) === 0;
    const key = isOld ? (present[random.integer(present.length)] as Buffer) : drawKey();
    return { key, value: random.integer(100) < removed ? null : drawValue(drawLength(key.length)) };
  });
  return tables.write(() => {
    for (const { key, value } of plan) {
      if (value === null) tables.owned.remove(key);
      else tables.owned.put(key, value);
      // Its pages lie among the others', and its values begin alike.
      if (random.integer(3) === 0) tables.homes.put(key, drawValue(random.integer(300)));
    }
  });
}

const textOf = (key: Buffer, value: Buffer): [string, string] => [
  key.toString('hex'),
  `${value.length} bytes ${value.subarray(0, 16).toString('hex')} ${crc32(value)}`,
];

/** By lmdb's own cursor. */
function byCursor(range: KeyRange, { transaction }: PinnedMoment): Map<string, string> {
  return new Map([...tables.owned.range({ ...range, transaction })].map((entry) => textOf(...entry)));
}

const isIn = (key: Buffer, { start, end }: KeyRange): boolean =>
  key.compare(start) >= 0 && key.compare(end) < 0;

/** Goes through some pages at a time. */
class Going {
  readonly found = new Map<string, string>();
  readonly #walk: PageWalk;
  readonly #range: KeyRange;

  constructor(walk: PageWalk, range: KeyRange) {
    this.#walk = walk;
    this.#range = range;
  }

  /** False at the end. */
  go(pages: number): boolean {
    for (let page = 0; page < pages; page++) {
      if (!this.#walk.nextPage()) {
        if (this.#range === ALL_OWNED) this.#walk.assertWhole();
        return false;
      }
      do {
        while (this.#walk.nextWanted(() => true)) this.#take();
        this.#walk.takeLooks();
      } while (this.#walk.hasMore);
    }
    return true;
  }

  #take(): void {
    const key = this.#walk.key();
    if (!isIn(key, this.#range)) return;
    const [name, value] = textOf(key, tables.owned.open(key, this.#walk.value()));
    // Entries are too many for an `expect` each, which would take longer than to read them.
    if (this.found.has(name)) throw new Error(`${name} is found twice`);
    this.found.set(name, value);
  }
}

function drawRange(bytesMax = KEY_BYTES_MAX): KeyRange {
  if (random.integer(2) === 0) return ALL_OWNED;
  const [start, end] = [drawKey(bytesMax), drawKey(bytesMax)].toSorted((a, b) => a.compare(b)) as [
    Buffer,
    Buffer,
  ];
  return { start, end };
}

function compareNow(keyBytesMax = KEY_BYTES_MAX): void {
  const moment = tables.pin();
  for (const range of [ALL_OWNED, drawRange(keyBytesMax), drawRange(keyBytesMax)]) {
    const going = new Going(tables.walkPages(tables.owned, range, moment), range);
    while (going.go(1_000));
    const wanted = byCursor(range, moment);
    expect(going.found).toEqual(wanted);
    const few = tables.walkPages(tables.owned, range, moment);
    few.readFewAhead();
    expect(keysIn(few).toSorted()).toEqual([...wanted.keys()].toSorted());
  }
  moment.release();
}

function keysIn(walk: PageWalk): string[] {
  const found: string[] = [];
  while (walk.nextPage()) while (walk.nextKey()) found.push(walk.key().toString('hex'));
  return found;
}

describe('the pages of a tree, beside the cursor of lmdb', () => {
  it('have the same entries after any inserts, overwrites and removals, however often pages are used again', async () => {
    tables = new LmdbTables(file);
    compareNow();
    for (let turn = 0; turn < 60 * TURNS; turn++) {
      await change(1 + random.integer(turn % 10 === 0 ? 400 : 40), turn % 12 > 8 ? 90 : 30);
      compareNow();
    }
    await tables.write(() => tables.owned.clear());
    compareNow();
  });

  it('have the same entries after the file has been closed and opened again', async () => {
    for (let turn = 0; turn < 4 * TURNS; turn++) {
      tables = new LmdbTables(file);
      compareNow();
      await change(300, 30);
      compareNow();
      await tables.close();
    }
    tables = new LmdbTables(file);
    compareNow();
  });

  it('have the same entries while a writer commits in the same process and the map grows', async () => {
    tables = new LmdbTables(file);
    await change(600, 0);
    const bytesBefore = tables.bytes;
    for (let turn = 0; turn < 12 * TURNS; turn++) {
      const moment = tables.pin();
      const ranges = [ALL_OWNED, drawRange(), drawRange()];
      const goings = ranges.map((range) => new Going(tables.walkPages(tables.owned, range, moment), range));
      for (let step = 0; step < 12; step++) {
        // Not waited for: pages are read while lmdb writes others in a thread of its own.
        const writing = change(60, 40);
        for (const going of goings) going.go(1 + random.integer(6));
        await writing;
        for (const going of goings) going.go(1);
      }
      goings.forEach((going, i) => {
        while (going.go(1_000));
        expect(going.found).toEqual(byCursor(ranges[i] as KeyRange, moment));
      });
      moment.release();
    }
    expect(tables.bytes).toBeGreaterThan(bytesBefore);
    compareNow();
  });

  it.each([512, 4_096, 16_384])('have the same entries where pages have %i bytes', async (pageSize) => {
    const root = open({ path: file, noSubdir: true, pageSize, maxDbs: 12 });
    await root.close();
    expect(readFileSync(file).readUInt32LE(48)).toBe(pageSize);
    tables = new LmdbTables(file);
    for (let turn = 0; turn < 4 * TURNS; turn++) {
      await changeShort();
      compareNow(SHORT_KEY_BYTES_MAX);
    }
  });

  /** Keys that fit pages of any size. */
  function changeShort(): Promise<void> {
    return tables.write(() => {
      for (let i = 0; i < 300; i++) {
        const key = Buffer.from(random.bytes(40));
        tables.owned.put(key, drawValue(random.integer(300)));
      }
    });
  }
});

describe('a file that is damaged', () => {
  /** The entries that one way through a damaged copy finds, or null where it says so. */
  function findIn(copy: string, range: KeyRange, walk: (file: OpenFile) => PageWalk) {
    const damaged = new OpenFile(copy);
    try {
      const going = new Going(walk(damaged), range);
      while (going.go(1_000));
      return going.found;
    } catch (error) {
      expect(error).toMatchObject({ code: 'LEDGER_DAMAGED' });
      return null;
    } finally {
      damaged.close();
    }
  }

  type Harm = (bytes: Buffer, pages: number) => void;
  const PAGE = 4_096;
  /** Of a node of a branch: the number of the page below. */
  const CHILD_BYTES = 6;
  const HARMS: readonly [string, Harm][] = [
    [
      'a bit of it is another',
      (bytes) => {
        const at = 2 * PAGE + random.integer(bytes.length - 2 * PAGE);
        bytes[at] = (bytes[at] as number) ^ (1 << random.integer(8));
      },
    ],
    [
      'a bit in the head or the places of a page is another',
      (bytes, pages) => {
        const at = (2 + random.integer(pages - 2)) * PAGE + random.integer(80);
        bytes[at] = (bytes[at] as number) ^ (1 << random.integer(8));
      },
    ],
    ['a page of it is empty', (bytes, pages) => bytes.fill(0, ...pageAt(2 + random.integer(pages - 2)))],
    [
      'a page of it is another page',
      (bytes, pages) => {
        const [from, to] = pageAt(2 + random.integer(pages - 2));
        bytes.copy(bytes, PAGE * (2 + random.integer(pages - 2)), from, to);
      },
    ],
    [
      'a page of it is another with its number',
      (bytes, pages) => {
        const target = 2 + random.integer(pages - 2);
        const [from, to] = pageAt(2 + random.integer(pages - 2));
        bytes.copy(bytes, target * PAGE, from, to);
        bytes.writeBigUInt64LE(BigInt(target), target * PAGE);
      },
    ],
  ];
  const pageAt = (page: number): [number, number] => [page * PAGE, (page + 1) * PAGE];

  async function prepare() {
    tables = new LmdbTables(file);
    for (let turn = 0; turn < 4; turn++) await change(200, 20);
    const moment = tables.pin();
    const ranges = [ALL_OWNED, drawRange(), drawRange(), drawRange()];
    const expected = ranges.map((range) => byCursor(range, moment));
    moment.release();
    return { ranges, expected, walkIn: await walksOf() };
  }

  /** How to go through any copy of the file, by the record of the tree as lmdb tells it now. */
  async function walksOf() {
    await tables.close();
    const root = open<Buffer, Uint8Array>({
      path: file,
      noSubdir: true,
      maxDbs: 12,
      encoding: 'binary',
      keyEncoding: 'binary',
    });
    const record = root.get(Buffer.from('owned\0')) as Buffer;
    const { pageSize, lastTxnId } = root.getStats() as { pageSize: number; lastTxnId: number };
    await root.close();
    tables = new LmdbTables(file);
    const damage = (what: string): Error => ledgerDamaged({ folder, file }, what);
    const state = { pageBytes: pageSize, commit: lastTxnId };
    return (range: KeyRange) =>
      (damaged: OpenFile): PageWalk =>
        new PageWalk(damaged, state, treeOf(record), range === ALL_OWNED ? null : range, damage);
  }

  it.each(HARMS)('says so or is read as it was where %s', async (_, harm) => {
    const { ranges, expected, walkIn } = await prepare();
    const whole = readFileSync(file);
    const copy = `${file}.copy`;
    let told = 0;
    for (let turn = 0; turn < 40 * TURNS; turn++) {
      const bytes = Buffer.from(whole);
      harm(bytes, Math.floor(bytes.length / PAGE));
      writeFileSync(copy, bytes);
      ranges.forEach((range, i) => {
        const found = findIn(copy, range, walkIn(range));
        if (found === null) told++;
        else expect(found).toEqual(expected[i]);
      });
    }
    expect(told).toBeGreaterThan(3);
  });

  it('says so where a write of a branch was lost, and a page below was written later', async () => {
    tables = new LmdbTables(file);
    await change(200, 0);
    const before: Buffer[] = [];
    const key = drawKey();
    // The same pages are written again and again, by turns.
    for (let turn = 0; turn < 24; turn++) {
      before.push(readFileSync(file));
      await tables.write(() => tables.owned.put(key, drawValue(20)));
    }
    const walk = (await walksOf())({ start: Buffer.of(0), end: Buffer.alloc(KEY_BYTES_MAX, 0xff) });
    const now = readFileSync(file);
    const isBranch = (bytes: Buffer, page: number): boolean =>
      bytes.readUInt16LE(page * PAGE + FLAGS_AT) === BRANCH_FLAG;
    const told: string[] = [];
    for (const old of before) {
      for (let page = 2; page < old.length / PAGE; page++) {
        if (!isBranch(old, page) || !isBranch(now, page)) continue;
        const bytes = Buffer.from(now);
        old.copy(bytes, page * PAGE, ...pageAt(page));
        told.push(faultOf(bytes, walk));
      }
    }
    // No page is of a commit after the last one: only the page above it can be too old for it.
    expect(told.join()).toContain('is of a later commit');
  });

  it.each<[string, (bytes: Buffer, one: number, other: number) => void, string]>([
    [
      'one page is below two nodes',
      (bytes, one, other) => bytes.copy(bytes, other, one, one + CHILD_BYTES),
      'has two places in the tree',
    ],
    [
      'a page is where no file reaches',
      (bytes, one) => bytes.fill(0xff, one, one + CHILD_BYTES),
      `page ${2 ** 48 - 1} is not in the file`,
    ],
  ])('says so where by a branch %s', async (_, harm, told) => {
    const { walkIn } = await prepare();
    const bytes = readFileSync(file);
    const walk = walkIn(ALL_OWNED);
    for (let page = 2; page < bytes.length / PAGE; page++) {
      const at = page * PAGE;
      if (bytes.readUInt16LE(at + FLAGS_AT) !== BRANCH_FLAG) continue;
      const [one, other] = [0, 2].map((place) => at + 24 + bytes.readUInt16LE(at + 24 + place));
      harm(bytes, one as number, other as number);
    }
    expect(faultOf(bytes, walk)).toContain(told);
  });

  /** What is said on the way through a file with these bytes; nothing where all is well. */
  function faultOf(bytes: Buffer, walk: (file: OpenFile) => PageWalk): string {
    const copy = `${file}.copy`;
    writeFileSync(copy, bytes);
    const damaged = new OpenFile(copy);
    try {
      const pages = walk(damaged);
      while (pages.nextPage());
      return '';
    } catch (error) {
      return (error as Error).message;
    } finally {
      damaged.close();
    }
  }

  it('says so or is read as it was where its end is missing', async () => {
    const { ranges, expected, walkIn } = await prepare();
    const copy = `${file}.copy`;
    const { length } = readFileSync(file);
    let told = 0;
    for (let turn = 0; turn < 30 * TURNS; turn++) {
      copyFileSync(file, copy);
      const descriptor = openSync(copy, 'r+');
      ftruncateSync(descriptor, random.integer(length));
      closeSync(descriptor);
      ranges.forEach((range, i) => {
        const found = findIn(copy, range, walkIn(range));
        if (found === null) told++;
        else expect(found).toEqual(expected[i]);
      });
    }
    expect(told).toBeGreaterThan(10);
  });
});
