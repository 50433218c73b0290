import type { Clock } from '../../ports/clock.ts';
import type { Address } from '../../solana/address.ts';

/** How long an address stays suspected, or cleared, ms. */
export const SUSPECT_MS = 10_000;
/** How many addresses are suspected at most; the oldest is let go. */
export const SUSPECTS_MAX = 1_000;
/** How many requests are known as answered at most, the latest; those of many payments name the same. */
const ANSWERED_MAX = 1_000;

/**
 * The addresses that most likely spoil the calls they are in: those of requests that failed alone. An address
 * that was answered lately is none of them, so that nobody makes one suspected that others need.
 */
export class Suspects {
  readonly #clock: Clock;
  /** When each address was suspected, ms; the latest last. */
  readonly #suspectedAt = new Map<Address, number>();
  /** The latest requests that were answered, in a ring: noting one must cost next to nothing. */
  readonly #answered: Answered[] = [];
  #answeredCount = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether one of these is suspected. */
  isAmong(addresses: readonly Address[]): boolean {
    if (this.#suspectedAt.size === 0) return false;
    return addresses.some((address) => {
      const at = this.#suspectedAt.get(address);
      return at !== undefined && this.#isRecent(at);
    });
  }

  /** A request for these failed where others were answered. */
  suspect(addresses: readonly Address[]): void {
    const answered = new Set(
      this.#answered.flatMap((request) => (this.#isRecent(request.at) ? request.addresses : [])),
    );
    for (const address of addresses) {
      if (answered.has(address)) continue;
      this.#suspectedAt.delete(address);
      this.#suspectedAt.set(address, this.#clock.now());
    }
    for (const oldest of this.#suspectedAt.keys()) {
      if (this.#suspectedAt.size <= SUSPECTS_MAX) break;
      this.#suspectedAt.delete(oldest);
    }
  }

  /** A request for these was answered. */
  clear(addresses: readonly Address[]): void {
    this.#answered[this.#answeredCount++ % ANSWERED_MAX] = { addresses, at: this.#clock.now() };
    if (this.#suspectedAt.size === 0) return;
    for (const address of addresses) this.#suspectedAt.delete(address);
  }

  #isRecent(at: number): boolean {
    const ageMs = this.#clock.now() - at;
    // After the clock was set back the age is negative and proves nothing.
    return ageMs >= 0 && ageMs < SUSPECT_MS;
  }
}

/** What a request was answered about, and when, ms. */
interface Answered {
  readonly addresses: readonly Address[];
  readonly at: number;
}
