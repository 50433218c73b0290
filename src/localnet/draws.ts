import { type Random, SeededBytes, systemRandom } from '../ports/random.ts';

/** How much of a seed has been used. */
export interface DrawsMark {
  readonly program: number;
  readonly wallets: number;
}

/**
 * The randomness of a localnet, from its seed or the system. Wallets have their own stream, so that other
 * draws do not change their addresses.
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

  /** The state to {@link rewind} to. */
  get mark(): DrawsMark {
    return { program: this.#program.drawn, wallets: this.#wallets.drawn };
  }

  rewind({ program, wallets }: DrawsMark): void {
    this.#program = new SeededBytes(`${this.#seed}/program`, program);
    this.#wallets = new SeededBytes(`${this.#seed}/wallets`, wallets);
  }
}
