import { inspect } from 'node:util';

const CONCEALED = '[secret]';

/** A setting that must not be shown: printing it, or an object that has it, shows a placeholder. */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself, for the one place that needs it. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return CONCEALED;
  }

  toJSON(): string {
    return CONCEALED;
  }

  [inspect.custom](): string {
    return CONCEALED;
  }
}
