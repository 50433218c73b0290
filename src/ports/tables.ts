/** A stored table with string keys. */
export interface Table<Value> {
  get(key: string): Value | undefined;
  put(key: string, value: Value): void;
  remove(key: string): void;
  /** Returns the entry with the smallest key. Keys must have been added in ascending order. */
  first(): readonly [string, Value] | undefined;
  /**
   * Returns the entries whose keys start with `prefix` and are smaller than `before`, the largest key first.
   *
   * @param limit the maximum number of entries.
   */
  lastBefore(prefix: string, before: string, limit: number): readonly (readonly [string, Value])[];
  /** Returns a copy of all current entries. */
  entries(): readonly (readonly [string, Value])[];
}

/** Small tables, in the memory of this process, or in LMDB to share them on one machine. */
export interface Tables {
  /** Returns the table with this name, the same one for every call. Values are plain data. */
  open<Value>(name: string): Table<Value>;
  /**
   * Runs `change` atomically, without concurrent changes by other processes. `change` must not throw.
   * Resolves when every process sees the result.
   *
   * @throws {Error} the system's error if the tables cannot be written. They are then unchanged.
   */
  change<T>(change: () => T): Promise<T>;
}

/** Tables in the memory of this process. */
export class MemoryTables implements Tables {
  readonly #tables = new Map<string, Table<unknown>>();

  open<Value>(name: string): Table<Value> {
    const table = this.#tables.get(name) ?? memoryTable<Value>();
    this.#tables.set(name, table as Table<unknown>);
    return table as Table<Value>;
  }

  async change<T>(change: () => T): Promise<T> {
    return change();
  }
}

function memoryTable<Value>(): Table<Value> {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    put: (key, value) => void entries.set(key, value),
    remove: (key) => void entries.delete(key),
    first: () => entries.entries().next().value,
    lastBefore: (prefix, before, limit) =>
      [...entries]
        .filter(([key]) => key.startsWith(prefix) && key < before)
        .sort(([left], [right]) => (left < right ? 1 : -1))
        .slice(0, limit),
    entries: () => [...entries],
  };
}
