/** Something that is reached once, and can be waited for. */
export class Milestone<T = void> {
  readonly reached: Promise<T>;
  #isReached = false;
  readonly #resolve: (value: T) => void;
  /** Tells that it never will be. */
  readonly fail: (error: Error) => void;

  constructor() {
    let settle: [(value: T) => void, (error: Error) => void] | undefined;
    this.reached = new Promise<T>((resolve, reject) => {
      settle = [resolve, reject];
    });
    [this.#resolve, this.fail] = settle as NonNullable<typeof settle>;
    // Whoever waits hears of a failure; that nobody does is no fault.
    this.reached.catch(() => {});
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  /** Only the first call counts. */
  reach(value: T): void {
    this.#isReached = true;
    this.#resolve(value);
  }
}
