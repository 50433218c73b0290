import { systemRandom, type Random } from '../ports/random.ts';
import { SeededBytes } from '../ports/seeded-random.ts';

/** How much of a seed was used. */
export interface DrawsMark {
  readonly program: number;
  readonly wallets: number;
}

/**
 * What a localnet draws at random: from its seed, or from the machine. Wallets have a stream of their own, so
 * that what the program draws meanwhile does not change their addresses.
 */
export class Draws {
  readonly #seed: string | undefined;
  #program: SeededBytes;
  #wallets: SeededBytes;

  constructor(seed: string | undefined) {
    this.#seed = seed;
    this.#program = new SeededBytes(`${seed}/program`);
    this.#wallets = new SeededBytes(`${seed}/wallets`);
  }

  get program(): Random {
    return this.#seed === undefined ? systemRandom : this.#program;
  }

  get wallets(): Random {
    return this.#seed === undefined ? systemRandom : this.#wallets;
  }

  /** What {@link rewind} brings them back to. */
  get mark(): DrawsMark {
    return { program: this.#program.drawn, wallets: this.#wallets.drawn };
  }

  rewind({ program, wallets }: DrawsMark): void {
    this.#program = new SeededBytes(`${this.#seed}/program`, program);
    this.#wallets = new SeededBytes(`${this.#seed}/wallets`, wallets);
  }
}
