import { HTTP_LIMITS } from './limits.ts';

/**
 * Bounds the requests that one face works on at once. A request enters when its body has been read, so that slow clients
 * do not take the places of others, and leaves when its answer is known.
 */
export class InFlight {
  readonly max: number;
  #count = 0;
  #refused = 0;

  constructor(max: number = HTTP_LIMITS.inFlightMax) {
    this.max = max;
  }

  /** How many have entered and not left. */
  get count(): number {
    return this.#count;
  }

  /** How many were turned away so far. */
  get refused(): number {
    return this.#refused;
  }

  /** Whether there is room for one more, which has then entered. */
  tryEnter(): boolean {
    if (this.#count >= this.max) {
      this.#refused += 1;
      return false;
    }
    this.#count += 1;
    return true;
  }

  leave(): void {
    this.#count -= 1;
  }
}
