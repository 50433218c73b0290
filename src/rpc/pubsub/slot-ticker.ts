import { failureFields } from '../../errors/failure-fields.ts';
import type { LedgerReads } from '../../ledger/ledger.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { LedgerEvent, SlotBegan, SlotEnded } from './happening.ts';
import type { Timer } from '../../ports/timer.ts';

/** The ledger is asked so many times a slot, so a slot is told at most that part of it late. */
const POLLS_PER_SLOT = 8;

/** What a {@link SlotTicker} works with. */
interface SlotTickerOptions {
  readonly ledger: LedgerReads;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Most slots that are told at once. */
  readonly slotsAtOnceMax: number;
  readonly tell: (passed: SlotEnded | SlotBegan) => void;
}

/**
 * Tells of slots as they pass, which on this ledger they do unseen: by asking for the head while somebody
 * waits for them, and not at all otherwise.
 *
 * Slots and events are told in the order of slots. A transaction is told once it is durable, which may be
 * after its slot is over; so a new slot is held back until those of the slot before are.
 */
export class SlotTicker {
  readonly #options: SlotTickerOptions;
  /** The slot that was told last. */
  #slot = 0;
  #callOff: (() => void) | undefined;

  constructor(options: SlotTickerOptions) {
    this.#options = options;
  }

  /** Starts with the slot after the present one, or stops. */
  run(isWanted: boolean): void {
    if (isWanted === (this.#callOff !== undefined)) return;
    if (isWanted) {
      this.#slot = this.#options.ledger.head().slot;
      this.#schedule();
    } else {
      this.#callOff?.();
      this.#callOff = undefined;
    }
  }

  /** To be called with each event before it is told: tells of the slots up to its own. */
  reach(event: LedgerEvent): void {
    if (this.#callOff === undefined) return;
    if (event.slot > this.#slot) this.#advanceTo(event.slot);
  }

  #schedule(): void {
    const { ledger, timer, logger } = this.#options;
    const delayMs = Math.max(1, Math.floor(ledger.slotMs / POLLS_PER_SLOT));
    this.#callOff = timer.after(delayMs, () => {
      this.#schedule();
      try {
        this.#poll();
      } catch (error) {
        logger.error(failureFields(error), 'slots could not be told');
      }
    });
  }

  #poll(): void {
    const { ledger } = this.#options;
    const { slot } = ledger.head();
    const target = ledger.finishedSlot() + 1;
    // A ledger that was reset is at an earlier slot than it was.
    if (slot < this.#slot) this.#advanceTo(slot);
    else if (target > this.#slot) this.#advanceTo(target);
  }

  #advanceTo(target: number): void {
    const { ledger, clock, slotsAtOnceMax, tell } = this.#options;
    const present = ledger.head().slot;
    const unixMs = clock.now();
    const from = Math.max(this.#slot + 1, target - slotsAtOnceMax + 1);
    let last = this.#slot;
    this.#slot = target;
    for (const slot of ledger.slotsWithBlocks(from, target, slotsAtOnceMax)) {
      // The ledger may have jumped here, or slots may have been left out.
      const parentSlot = slot === last + 1 ? last : (ledger.block(slot)?.parentSlot ?? last);
      const block = once(() => ledger.block(parentSlot));
      tell({ kind: 'slot-ended', slot: parentSlot, block, unixMs });
      tell({ kind: 'slot-began', slot, parentSlot, isPresent: slot === present, unixMs });
      last = slot;
    }
  }
}

/** `read`, but what it read is remembered. */
function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: read() }).value;
}
