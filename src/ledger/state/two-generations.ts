/** How much is kept at most in each of the two generations. */
export interface GenerationLimits {
  readonly count: number;
  readonly bytes: number;
}

/**
 * A cache that forgets what was not used lately, for the price of a look-up. What is put or found goes into
 * the young generation. Once that is full, {@link makeRoom} makes it the old one, and drops what that still
 * has. So where it is called after each that was put or found, no more is held than twice the limits, and the
 * newest value besides.
 */
export class TwoGenerations<Key, Value> {
  readonly #limits: GenerationLimits;
  readonly #sizeOf: (value: Value) => number;
  readonly #onDropped: (key: Key) => void;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngBytes = 0;
  #oldBytes = 0;

  /** @param onDropped told of each key that is forgotten, but not of one that is deleted. */
  constructor(
    limits: GenerationLimits,
    sizeOf: (value: Value) => number,
    onDropped: (key: Key) => void = () => undefined,
  ) {
    this.#limits = limits;
    this.#sizeOf = sizeOf;
    this.#onDropped = onDropped;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.put(key, old);
    return old;
  }

  put(key: Key, value: Value): void {
    this.delete(key);
    this.#young.set(key, value);
    this.#youngBytes += this.#sizeOf(value);
  }

  makeRoom(): void {
    if (this.#young.size <= this.#limits.count && this.#youngBytes <= this.#limits.bytes) return;
    const dropped = this.#old;
    this.#old = this.#young;
    this.#oldBytes = this.#youngBytes;
    this.#young = new Map();
    this.#youngBytes = 0;
    for (const key of dropped.keys()) this.#onDropped(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngBytes = 0;
    this.#oldBytes = 0;
  }

  delete(key: Key): void {
    const young = this.#young.get(key);
    if (young !== undefined) {
      this.#youngBytes -= this.#sizeOf(young);
      this.#young.delete(key);
      return;
    }
    const old = this.#old.get(key);
    if (old === undefined) return;
    this.#oldBytes -= this.#sizeOf(old);
    this.#old.delete(key);
  }
}
