import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import type { KeyRange } from './account-keys.ts';
import type { LmdbTables, PinnedMoment } from './lmdb-tables.ts';
import type { PageWalk } from './page-walk.ts';
import type { SealedTable } from './sealed-table.ts';

/** Entries and bytes checked at a time, at most, and one large value besides: about a millisecond. */
const ENTRIES_AT_ONCE = 256;
const BYTES_AT_ONCE = 1024 * 1024;

/** Sorts before and after every key. */
const FIRST = Buffer.of(0);
const LAST = Buffer.alloc(128, 0xff);

/** What was looked at in one step. */
interface Checked {
  readonly range: KeyRange;
  /** How many entries it has, as lmdb finds them. */
  readonly count: number;
  readonly damaged: ServiceError[];
}

/**
 * Goes through all entries of a database again and again, a few at a time, and checks that they are what was
 * written, and that the pages they are in are those of their tree: a start does not, and what is never read
 * would go bad unnoticed.
 */
export class Scrub {
  #table = 0;
  #from: Buffer = FIRST;
  #rounds = 0;

  /** How often it has come to the end of the last table. */
  get rounds(): number {
    return this.#rounds;
  }

  /** Checks the next entries. Returns what is damaged, by name. */
  step(tables: LmdbTables): readonly ServiceError[] {
    const all = tables.all();
    const table = all[this.#table] as SealedTable;
    const moment = tables.pin();
    try {
      const { range, count, damaged } = this.#checkValues(table, all.length, moment);
      // Entries in a page that lies in another's place are good, and not found where they are looked for.
      const fault = faultOf(() => {
        const found = countEntries(tables.walkPages(table, range, moment));
        if (found !== count) throw table.damaged(`${count} of ${found} entries can be found`);
      });
      return fault === null ? damaged : [...damaged, fault];
    } finally {
      moment.release();
    }
  }

  #checkValues(table: SealedTable, tableCount: number, { transaction }: PinnedMoment): Checked {
    const start = this.#from;
    const damaged: ServiceError[] = [];
    let [count, bytes] = [0, 0];
    const walk = table.walk({ start, end: LAST }, transaction);
    try {
      while (count < ENTRIES_AT_ONCE && bytes < BYTES_AT_ONCE) {
        if (!walk.next()) {
          this.#goToNextTable(tableCount);
          return { range: { start, end: LAST }, count, damaged };
        }
        const key = walk.key();
        if (key.compare(this.#from) < 0) throw table.damaged(`${key.toString('hex')} is behind others`);
        count++;
        bytes += walk.valueTo - walk.valueFrom;
        // The next step goes on behind it, also when it is damaged.
        this.#from = Buffer.concat([key, Buffer.of(0)]);
        const fault = faultOf(() => walk.value());
        if (fault !== null) damaged.push(fault);
      }
      return { range: { start, end: this.#from }, count, damaged };
    } catch (error) {
      // The order of the entries is lost, so nothing tells where to go on.
      const range = { start, end: this.#from };
      this.#goToNextTable(tableCount);
      damaged.push(serviceErrorOf(table.reasonOf(error)));
      return { range, count, damaged };
    } finally {
      walk.close();
    }
  }

  #goToNextTable(tableCount: number): void {
    this.#table = (this.#table + 1) % tableCount;
    this.#from = FIRST;
    if (this.#table === 0) this.#rounds++;
  }
}

function countEntries(walk: PageWalk): number {
  let count = 0;
  while (walk.nextPage()) while (walk.nextKey()) count++;
  return count;
}

function faultOf(read: () => unknown): ServiceError | null {
  try {
    read();
    return null;
  } catch (error) {
    return serviceErrorOf(error);
  }
}

/** The same; throws any other. */
function serviceErrorOf(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  throw error;
}
