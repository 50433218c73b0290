/** A promise that is settled from outside. */
export class Deferred<T = void> {
  readonly promise: Promise<T>;
  #isResolved = false;
  readonly #resolve: (value: T) => void;
  readonly reject: (error: Error) => void;

  constructor() {
    let settle: [(value: T) => void, (error: Error) => void] | undefined;
    this.promise = new Promise<T>((resolve, reject) => {
      settle = [resolve, reject];
    });
    [this.#resolve, this.reject] = settle as NonNullable<typeof settle>;
    // A rejection that nobody awaits is no unhandled one: whoever awaits it later still gets it.
    this.promise.catch(() => {});
  }

  get isResolved(): boolean {
    return this.#isResolved;
  }

  /** Only the first call counts. */
  resolve(value: T): void {
    this.#isResolved = true;
    this.#resolve(value);
  }
}
