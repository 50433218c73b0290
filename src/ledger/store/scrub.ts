import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import type { SealedTable } from './sealed-table.ts';

/** Entries and bytes checked at a time, at most, and one large value besides: about a millisecond. */
const ENTRIES_AT_ONCE = 256;
const BYTES_AT_ONCE = 1024 * 1024;

/** Sorts before and after every key. */
const FIRST = Buffer.of(0);
const LAST = Buffer.alloc(128, 0xff);

/**
 * Goes through all entries of a database again and again, a few at a time, and checks that they are what was
 * written: a start does not, and what is never read would go bad unnoticed.
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
  step(tables: readonly SealedTable[]): readonly ServiceError[] {
    const table = tables[this.#table % tables.length];
    if (table === undefined) return [];
    const damaged: ServiceError[] = [];
    let bytes = 0;
    const walk = table.walk({ start: this.#from, end: LAST });
    try {
      for (let count = 0; count < ENTRIES_AT_ONCE && bytes < BYTES_AT_ONCE; count++) {
        if (!walk.next()) {
          this.#table = (this.#table + 1) % tables.length;
          this.#from = FIRST;
          if (this.#table === 0) this.#rounds++;
          return damaged;
        }
        bytes += walk.valueTo - walk.valueFrom;
        // The next step goes on behind it, also when it is damaged.
        this.#from = Buffer.concat([walk.key(), Buffer.of(0)]);
        const fault = faultOf(() => walk.value());
        if (fault !== null) damaged.push(fault);
      }
    } finally {
      walk.close();
    }
    return damaged;
  }
}

function faultOf(read: () => unknown): ServiceError | null {
  try {
    read();
    return null;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
}
