import type { Clock } from '../../ports/clock.ts';

/** Wall time of a slot on Solana's clusters, ms (`DEFAULT_MS_PER_SLOT`). */
export const SLOT_MS = 400;

/**
 * Slots from wall time. They pass by themselves and cost nothing: {@link advance} looks at the clock and says how far
 * it is. Neither slot nor time ever goes back, even where the machine's clock does.
 */
export class SlotClock {
  readonly #clock: Clock;
  readonly #slotMs: number;
  #anchorSlot: number;
  #anchorMs: number;
  #seenMs: number;
  #slot: number;
  #unixTimestamp: number;

  /** Starts at `slot` now, with slots of `slotMs`. */
  constructor(clock: Clock, slot: number, slotMs: number) {
    this.#clock = clock;
    this.#slotMs = slotMs;
    this.#anchorSlot = slot;
    this.#anchorMs = clock.now();
    this.#seenMs = this.#anchorMs;
    this.#slot = slot;
    this.#unixTimestamp = Math.floor(this.#anchorMs / 1_000);
  }

  /** The slot as of the last {@link advance}. */
  get slot(): number {
    return this.#slot;
  }

  /** When that slot began, Unix seconds. */
  get unixTimestamp(): number {
    return this.#unixTimestamp;
  }

  /** Moves to the slot the clock names; true when that is a new one. */
  advance(): boolean {
    const now = this.#clock.now();
    if (now < this.#seenMs) {
      // The clock was set back. Waiting until it is where it was could take hours, so slots go on from here.
      this.#anchorSlot = this.#slot;
      this.#anchorMs = now;
    }
    this.#seenMs = now;
    const slot = this.#anchorSlot + Math.floor((now - this.#anchorMs) / this.#slotMs);
    if (slot <= this.#slot) return false;
    this.#slot = slot;
    const slotBeganMs = this.#anchorMs + (slot - this.#anchorSlot) * this.#slotMs;
    this.#unixTimestamp = Math.max(this.#unixTimestamp, Math.floor(slotBeganMs / 1_000));
    return true;
  }
}
