import { failureFields } from '../../errors/failure-fields.ts';
import type { LedgerEvent } from '../../ledger/ledger-events.ts';
import type { LedgerReads } from '../../ledger/ledger.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import type { SlotBegan, SlotEnded } from './feeds.ts';

/** Number of polls per slot. A slot is reported late by at most the time between two polls. */
const POLLS_PER_SLOT = 8;

interface SlotTickerOptions {
  readonly ledger: LedgerReads;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Maximum number of slots reported at once. */
  readonly slotsAtOnceMax: number;
  readonly publish: (passed: SlotEnded | SlotBegan) => void;
}

/**
 * Reports the start and end of slots. The ledger has no event for this, so it is polled while there are
 * subscribers. Slots and events are reported in slot order. A transaction is reported when it is durable,
 * possibly after its slot, so a new slot is reported after the transactions of the previous one.
 */
export class SlotTicker {
  readonly #options: SlotTickerOptions;
  /** The slot reported last. */
  #slot = 0;
  #callOff: (() => void) | undefined;

  constructor(options: SlotTickerOptions) {
    this.#options = options;
  }

  /** Starts or stops the reports. The first reported slot is the one after the current slot. */
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

  /** Reports all slots up to the slot of an event. Call it before reporting the event. */
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
        logger.error(failureFields(error), 'slot notification failed');
      }
    });
  }

  #poll(): void {
    const { ledger } = this.#options;
    const { slot } = ledger.head();
    // Stop at the slot after the newest durable block, because the transactions of later blocks are not
    // reported yet.
    const target = ledger.finishedSlot() + 1;
    // After a reset, the ledger is at an earlier slot.
    if (slot < this.#slot) this.#advanceTo(slot);
    else if (target > this.#slot) this.#advanceTo(target);
  }

  #advanceTo(target: number): void {
    const { ledger, clock, slotsAtOnceMax, publish } = this.#options;
    const present = ledger.head().slot;
    const unixMs = clock.now();
    const from = Math.max(this.#slot + 1, target - slotsAtOnceMax + 1);
    let last = this.#slot;
    this.#slot = target;
    for (const slot of ledger.slotsWithBlocks(from, target, slotsAtOnceMax)) {
      // Time travel or `slotsAtOnceMax` may have skipped slots.
      const parentSlot = slot === last + 1 ? last : (ledger.block(slot)?.parentSlot ?? last);
      const block = once(() => ledger.block(parentSlot));
      publish({ kind: 'slot-ended', slot: parentSlot, block, unixMs });
      publish({ kind: 'slot-began', slot, parentSlot, isPresent: slot === present, unixMs });
      last = slot;
    }
  }
}

function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: read() }).value;
}
