import type { Logger } from '../ports/logger.ts';
import type { Table, Tables } from '../ports/tables.ts';
import { useStore } from '../settlement/use-store.ts';

/** The members of every record. Records consist of JSON values. */
export interface StoredRecord {
  readonly id: string;
  /** The wallet of the merchant that the record belongs to, base58. */
  readonly owner: string;
  /** Increases by one with each change. */
  readonly version: number;
  /** Unix time, in ms. */
  readonly createdMs: number;
  /** Unix time from which the record may be deleted, in ms; null if it is never deleted. */
  readonly untilMs: number | null;
}

/** The place of a record in a list. An empty id sorts before all records of that time. */
export type RecordPlace = Pick<StoredRecord, 'createdMs' | 'id'>;

/**
 * Records of one kind, shared by all replicas. Methods throw if the store cannot be read or written.
 */
export interface RecordStore<T extends StoredRecord> {
  /**
   * Adds a record, and resolves when it is durable. If its id is taken, returns the existing record.
   * Also deletes a few records whose `untilMs` has passed.
   */
  create(record: T): Promise<T>;
  get(id: string): Promise<T | undefined>;
  /** Replaces the previous version of a record. Returns false if a different version is stored. */
  replace(record: T): Promise<boolean>;
  /** Returns an owner's records before the place `before` (default: all), newest first. */
  list(owner: string, limit: number, before?: RecordPlace): Promise<readonly T[]>;
}

/** Wraps a store for use in calls. Its failures are logged and become SERVICE_BUSY. */
export function forCalls<T extends StoredRecord>(store: RecordStore<T>, logger: Logger): RecordStore<T> {
  return {
    create: (record) => useStore(() => store.create(record), logger),
    get: (id) => useStore(() => store.get(id), logger),
    replace: (record) => useStore(() => store.replace(record), logger),
    list: (owner, limit, before) => useStore(() => store.list(owner, limit, before), logger),
  };
}

/** A {@link RecordStore} on tables. */
export class TableRecordStore<T extends StoredRecord> implements RecordStore<T> {
  readonly #tables: Tables;
  readonly #records: Table<T>;
  /** Ids by owner and time. */
  readonly #order: Table<string>;
  /** Ids of records that may be deleted, by `untilMs`. */
  readonly #temporary: Table<string>;

  /** @param kind the name of the records' tables. */
  constructor(tables: Tables, kind: string) {
    this.#tables = tables;
    this.#records = tables.open(kind);
    this.#order = tables.open(`${kind} by owner`);
    this.#temporary = tables.open(`${kind} by end`);
  }

  create(record: T): Promise<T> {
    return this.#tables.change(() => {
      const taken = this.#records.get(record.id);
      if (taken !== undefined) return taken;
      this.#sweep(record.createdMs);
      this.#records.put(record.id, record);
      if (record.untilMs !== null) this.#temporary.put(endOf(record), record.id);
      this.#order.put(placeOf(record), record.id);
      return record;
    });
  }

  async get(id: string): Promise<T | undefined> {
    return this.#records.get(id);
  }

  replace(record: T): Promise<boolean> {
    return this.#tables.change(() => {
      const stored = this.#records.get(record.id);
      if (stored?.version !== record.version - 1) return false;
      this.#records.put(record.id, record);
      if (record.untilMs === null) this.#temporary.remove(endOf(stored));
      return true;
    });
  }

  async list(owner: string, limit: number, before?: RecordPlace): Promise<readonly T[]> {
    const prefix = `${owner} `;
    const place = before === undefined ? `${prefix}~` : placeOf({ ...before, owner });
    return this.#order.lastBefore(prefix, place, limit).flatMap(([, id]) => this.#records.get(id) ?? []);
  }

  #sweep(nowMs: number): void {
    for (let swept = 0; swept < SWEPT_AT_ONCE; swept += 1) {
      const [end, id = ''] = this.#temporary.first() ?? [];
      if (end === undefined || Number.parseInt(end, 10) > nowMs) return;
      const record = this.#records.get(id);
      if (record !== undefined) this.#order.remove(placeOf(record));
      this.#records.remove(id);
      this.#temporary.remove(end);
    }
  }
}

/** Deletions per new record. More than one, so that deletions keep up. */
const SWEPT_AT_ONCE = 2;

/** Digits of a Unix time in ms, until the year 33658. */
const TIME_DIGITS = 15;

/** Returns a key that sorts by owner and time. It contains only ASCII characters below `~`. */
const placeOf = ({ owner, createdMs, id }: RecordPlace & Pick<StoredRecord, 'owner'>): string =>
  `${owner} ${timeOf(createdMs)} ${id}`;

const endOf = ({ untilMs, id }: StoredRecord): string => `${timeOf(untilMs ?? 0)} ${id}`;

const timeOf = (ms: number): string => String(ms).padStart(TIME_DIGITS, '0');
