import type { Clock } from '../../ports/clock.ts';
import type { Commitment } from '../../solana/commitment.ts';

/**
 * How long a slot is remembered after it was last seen, ms. It expires so that a ledger that was reset is
 * accepted again.
 */
export const MEMORY_MS = 60_000;

/** Slots that a ledger may advance beyond twice what the elapsed time allows. */
const LEAP_SLOTS = 150;

/**
 * The commitments each one can be compared with: a finalized block was confirmed, and a confirmed one
 * processed.
 */
const AT_LEAST: Readonly<Record<Commitment, readonly Commitment[]>> = {
  processed: ['processed', 'confirmed', 'finalized'],
  confirmed: ['confirmed', 'finalized'],
  finalized: ['finalized'],
};

/**
 * The highest slots that one ledger has answered from, at any of its URLs. A request made after an answer
 * must not be answered from an older slot: a balance would revert, and a landed transaction would vanish.
 */
export class SlotFloor {
  /** Duration of one slot of the ledger, ms. */
  readonly slotMs: number;
  readonly #clock: Clock;
  readonly #seen = new Map<Commitment, { readonly slot: number; readonly at: number }>();

  constructor(clock: Clock, slotMs: number) {
    this.#clock = clock;
    this.slotMs = slotMs;
  }

  /** The lowest acceptable slot for a request made now at a commitment; undefined if any is. */
  at(commitment: Commitment): number | undefined {
    const slots = AT_LEAST[commitment].flatMap((other) => this.#recent(other)?.slot ?? []);
    return slots.length === 0 ? undefined : Math.max(...slots);
  }

  /**
   * Records that the ledger answered at a commitment from this slot. A slot that no ledger can have reached
   * is ignored; otherwise one URL could make all others count as behind.
   */
  raise(commitment: Commitment, slot: number): void {
    const now = this.#clock.now();
    const last = this.#recent(commitment);
    const highest =
      last === undefined ? Infinity : last.slot + (2 * (now - last.at)) / this.slotMs + LEAP_SLOTS;
    if (slot >= (last?.slot ?? 0) && slot <= highest) this.#seen.set(commitment, { slot, at: now });
  }

  #recent(commitment: Commitment): { readonly slot: number; readonly at: number } | undefined {
    const seen = this.#seen.get(commitment);
    const ageMs = this.#clock.now() - (seen?.at ?? 0);
    // After the clock was set back the age is negative and proves nothing.
    return ageMs >= 0 && ageMs <= MEMORY_MS ? seen : undefined;
  }
}
