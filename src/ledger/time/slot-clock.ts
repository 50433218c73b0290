import type { Clock } from '../../ports/clock.ts';

/** Wall time of a slot on Solana's clusters, in ms (`DEFAULT_MS_PER_SLOT`). */
export const SLOT_MS = 400;

/** Maximum number of slots that pass at once if the clock is set forward. Blockhashes last 150 slots. */
const STEP_SLOTS_MAX = 64;

/** The point from which slots are counted. */
interface SlotAnchor {
  readonly slot: number;
  /** Start of the slot in the ledger's time, ms since the Unix epoch. */
  readonly unixMs: number;
}

/**
 * Derives slots from wall time. {@link advance} computes the current slot from the clock. No slot repeats if
 * the machine's clock is set back, and transactions stay valid if it is set forward. The ledger's time is
 * wall time plus the offset from {@link travelTo}.
 */
export class SlotClock {
  readonly #clock: Clock;
  readonly #slotMs: number;
  #anchor: SlotAnchor;
  /** Wall time at which the anchor's slot begins. */
  #anchorMs: number;
  /** Wall time at the last check. */
  #seenMs: number;
  /** Wall time minus steady time at the last {@link advance}. */
  #offsetMs: number;
  #slot: number;
  #due: number;
  #aheadMs: number;
  /** The rest of the current slot while the clock is paused, in ms. */
  #pausedLeftMs: number | null = null;

  /**
   * Starts at `start.slot` now, with slots of `slotMs`. The ledger's time is then `start.unixMs`, which
   * includes `aheadMs` from earlier time travel.
   */
  constructor(clock: Clock, start: SlotAnchor, slotMs: number, aheadMs = 0) {
    this.#clock = clock;
    this.#slotMs = slotMs;
    this.#anchor = start;
    this.#anchorMs = clock.now();
    this.#seenMs = this.#anchorMs;
    this.#offsetMs = this.#offsetAt(this.#anchorMs);
    this.#slot = start.slot;
    this.#due = start.slot;
    this.#aheadMs = aheadMs;
  }

  /** The slot as of the last {@link advance}. */
  get slot(): number {
    return this.#slot;
  }

  /** The current anchor; a new object whenever it changes. */
  get anchor(): SlotAnchor {
    return this.#anchor;
  }

  get isPaused(): boolean {
    return this.#pausedLeftMs !== null;
  }

  /** Offset of the ledger's time from the clock, set by {@link travelTo}, in ms. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** The slot of the clock at the last {@link advance}; the durable lease may not cover it yet. */
  get due(): number {
    return this.#due;
  }

  /** Advances to the current slot of the clock, at most to `slotMax`. Returns whether the slot changed. */
  advance(slotMax = Number.POSITIVE_INFINITY): boolean {
    const now = this.#clock.now();
    // If the clock was set or the machine slept, slots continue from the current one. Waiting for a clock
    // that was set back could take hours, and a step forward would expire all pending transactions.
    const offsetMs = this.#offsetAt(now);
    const isSet = now < this.#seenMs || offsetMs - this.#offsetMs > STEP_SLOTS_MAX * this.#slotMs;
    if (isSet && !this.isPaused) this.#restart(now, this.#slotMs);
    this.#offsetMs = offsetMs;
    this.#seenMs = now;
    if (this.isPaused) return false;
    this.#due = Math.max(this.#slot, this.#anchor.slot + Math.floor((now - this.#anchorMs) / this.#slotMs));
    const slot = Math.min(this.#due, slotMax);
    if (slot <= this.#slot) return false;
    this.#slot = slot;
    return true;
  }

  /** Jumps to a slot, which starts now. */
  travelTo(target: SlotAnchor): void {
    this.#anchor = target;
    this.#anchorMs = this.#clock.now();
    this.#seenMs = this.#anchorMs;
    this.#slot = target.slot;
    this.#due = target.slot;
    this.#aheadMs = target.unixMs - this.#anchorMs;
    if (this.#pausedLeftMs !== null) this.#pausedLeftMs = this.#slotMs;
  }

  /** Stops slots until {@link resume}. */
  pause(): void {
    const passedMs = this.#seenMs - this.#anchorMs - (this.#slot - this.#anchor.slot) * this.#slotMs;
    // More time than a slot has passed if the lease did not cover the slot of the clock.
    this.#pausedLeftMs ??= Math.max(0, this.#slotMs - passedMs);
    this.#due = this.#slot;
  }

  /** Resumes the slots, starting with the rest of the current one. */
  resume(): void {
    if (this.#pausedLeftMs === null) return;
    const leftMs = this.#pausedLeftMs;
    this.#pausedLeftMs = null;
    this.#seenMs = this.#clock.now();
    this.#restart(this.#seenMs, leftMs);
  }

  /** Returns the wall time minus steady time, in ms; 0 if the clock has no steady time. */
  #offsetAt(now: number): number {
    return now - (this.#clock.steady?.() ?? now);
  }

  /** Schedules the next slot in `inMs`, regardless of the earlier schedule. */
  #restart(now: number, inMs: number): void {
    this.#anchorMs = now + inMs;
    this.#anchor = { slot: this.#slot + 1, unixMs: this.#anchorMs + this.#aheadMs };
  }
}
