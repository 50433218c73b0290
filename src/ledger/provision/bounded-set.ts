/** A set of limited size. When it is full, the oldest entry makes room for the new one. */
export class BoundedSet<T> {
  readonly #most: number;
  readonly #things = new Set<T>();

  constructor(most: number) {
    this.#most = most;
  }

  has(thing: T): boolean {
    return this.#things.has(thing);
  }

  add(thing: T): void {
    this.#things.add(thing);
    if (this.#things.size <= this.#most) return;
    const [oldest] = this.#things;
    this.#things.delete(oldest as T);
  }

  clear(): void {
    this.#things.clear();
  }
}
