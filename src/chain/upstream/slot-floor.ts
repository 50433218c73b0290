import type { Clock } from '../../ports/clock.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { MEMORY_MS } from './fresh-blockhash.ts';

/**
 * How many slots a ledger may have gone on beyond twice what the time allows: two nodes differ, and answers
 * take a while.
 */
const LEAP_SLOTS = 150;

/** The slot of an answer, and when it came. */
interface Seen {
  readonly slot: number;
  readonly at: number;
}

/**
 * What each commitment can be compared with: a block that is finalized was confirmed, and that one was
 * processed.
 */
const AT_LEAST: Readonly<Record<Commitment, readonly Commitment[]>> = {
  processed: ['processed', 'confirmed', 'finalized'],
  confirmed: ['confirmed', 'finalized'],
  finalized: ['finalized'],
};

/**
 * The slots that the answers of one ledger were of. What is asked after an answer must not be answered from
 * before it, whichever URL is asked: a balance would be the old one again, and a transaction that landed
 * would not have.
 *
 * The highest slot is forgotten {@link MEMORY_MS} after it was last seen, so that a ledger that began anew is
 * taken for what it is.
 */
export class SlotFloor {
  /** How long a slot of the ledger takes. */
  readonly slotMs: number;
  readonly #clock: Clock;
  readonly #highest = new Map<Commitment, Seen>();

  constructor(clock: Clock, slotMs: number) {
    this.#clock = clock;
    this.slotMs = slotMs;
  }

  /**
   * The lowest slot that an answer at a commitment may be of when it is asked for now; undefined where any
   * will do.
   */
  at(commitment: Commitment): number | undefined {
    const slots = AT_LEAST[commitment].flatMap((other) => this.#seen(other)?.slot ?? []);
    return slots.length === 0 ? undefined : Math.max(...slots);
  }

  /**
   * An answer at a commitment was of this slot. A slot that no ledger can have come to since the last one is
   * not remembered: one URL that names it would have all others count as behind.
   */
  raise(commitment: Commitment, slot: number): void {
    const now = this.#clock.now();
    const seen = this.#seen(commitment);
    if (seen !== undefined) {
      const leapMax = (2 * (now - seen.at)) / this.slotMs + LEAP_SLOTS;
      if (slot < seen.slot || slot > seen.slot + leapMax) return;
    }
    this.#highest.set(commitment, { slot, at: now });
  }

  #seen(commitment: Commitment): Seen | undefined {
    const seen = this.#highest.get(commitment);
    if (seen === undefined) return undefined;
    const ageMs = this.#clock.now() - seen.at;
    // A clock that was set back makes the age negative, which says nothing.
    return ageMs >= 0 && ageMs <= MEMORY_MS ? seen : undefined;
  }
}
