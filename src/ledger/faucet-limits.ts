import { ServiceError } from '../errors/service-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Address } from '../solana/address.ts';

/** What a faucet gives at most, as the flags of solana-test-validator limit it. */
export interface FaucetLimits {
  /** Lamports in one call; as many as there are when left out. */
  readonly perCall?: bigint | undefined;
  /** Lamports to one address in a slice of time; as many as there are when left out. */
  readonly perSlice?: bigint | undefined;
  /** Length of a slice, ms; a minute when left out (Agave `TIME_SLICE`). */
  readonly sliceMs?: number | undefined;
}

const SLICE_MS = 60_000;

/** Holds a faucet to its limits. Slices follow each other; in each an address is given as much again. */
export class FaucetMeter {
  readonly #limits: FaucetLimits;
  readonly #sliceMs: number;
  readonly #clock: Clock;
  readonly #given = new Map<Address, bigint>();
  #sliceFromMs: number;

  constructor(limits: FaucetLimits, clock: Clock) {
    this.#limits = limits;
    this.#sliceMs = limits.sliceMs ?? SLICE_MS;
    this.#clock = clock;
    this.#sliceFromMs = clock.now();
  }

  /**
   * Notes what is about to be given. What is returned takes it back, for a transfer that fails.
   *
   * @throws {ServiceError} FAUCET_LIMIT when that is more than one of the limits; then nothing is noted.
   */
  take(to: Address, lamports: bigint): () => void {
    const { perCall, perSlice } = this.#limits;
    if (perCall !== undefined && lamports > perCall) {
      const what = `it gives at most ${sol(perCall)} in one call, and this one is for ${sol(lamports)}`;
      throw limited(what, { to });
    }
    if (perSlice === undefined) return () => undefined;
    this.#beginSlice();
    const given = this.#given.get(to) ?? 0n;
    if (given + lamports > perSlice) {
      const retryMs = Math.max(0, this.#sliceFromMs + this.#sliceMs - this.#clock.now());
      throw limited(
        `it gives an address at most ${sol(perSlice)} in ${this.#sliceMs / 1_000} s; ${to} has been given ${sol(given)} and asks for ${sol(lamports)}. Try again in ${Math.ceil(retryMs / 1_000)} s`,
        { to },
      );
    }
    this.#note(to, lamports);
    const sliceFromMs = this.#sliceFromMs;
    return () => {
      if (this.#sliceFromMs === sliceFromMs) this.#note(to, -lamports);
    };
  }

  #note(to: Address, lamports: bigint): void {
    this.#given.set(to, (this.#given.get(to) ?? 0n) + lamports);
  }

  /** Also where the clock was set back: nobody waits for longer than a slice. */
  #beginSlice(): void {
    const elapsed = this.#clock.now() - this.#sliceFromMs;
    if (elapsed >= 0 && elapsed < this.#sliceMs) return;
    this.#given.clear();
    this.#sliceFromMs = this.#clock.now();
  }
}

function limited(what: string, context: { readonly to: Address }): ServiceError {
  return new ServiceError('FAUCET_LIMIT', `The faucet refuses: ${what}`, context);
}

/** Lamports as SOL, with all their digits. */
function sol(lamports: bigint): string {
  const fraction = String(lamports % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${lamports / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`} SOL`;
}
