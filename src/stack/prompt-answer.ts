import type { Timer } from '../ports/timer.ts';

/** How long a question is waited for, ms: a reader takes longer for a page that hangs. */
const WAIT_MS = 500;

/**
 * What a machine elsewhere says, for readers that need other answers more than this one: of a question that
 * takes long they are told what was said last, and the answer is for those who come after it.
 */
export class PromptAnswer<Value> {
  readonly #ask: () => Value | Promise<Value>;
  readonly #timer: Timer;
  #last: Value;
  #asked: Promise<Value> | undefined;

  /**
   * @param ask asks; one question at a time is under way, for all readers.
   * @param first what is told before there was any answer.
   */
  constructor(ask: () => Value | Promise<Value>, timer: Timer, first: Value) {
    this.#ask = ask;
    this.#timer = timer;
    this.#last = first;
  }

  /**
   * The answer, or after half a second the one before it.
   *
   * @throws whatever the question fails with in that time.
   */
  read(): Promise<Value> {
    this.#asked ??= this.#askNow();
    return this.#asked;
  }

  #askNow(): Promise<Value> {
    return new Promise((resolve, reject) => {
      const callOff = this.#timer.after(WAIT_MS, () => resolve(this.#last));
      const settle = (): void => {
        callOff();
        this.#asked = undefined;
      };
      (async () => await this.#ask())().then(
        (value) => {
          this.#last = value;
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error);
        },
      );
    });
  }
}
