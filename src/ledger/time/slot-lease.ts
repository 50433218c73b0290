/**
 * Slots the durable ceiling is ahead of the current slot. After an orderly stop the ledger resumes right
 * after its last slot. After a crash it resumes at most this many slots later, and always above every slot a
 * client has seen.
 */
export const LEASE_SLOTS = 64;

/**
 * The lease is renewed when half of it is left: over a second on a fast rollup, where a write takes
 * milliseconds.
 */
const RENEW_SLOTS = LEASE_SLOTS / 2;

/** How often the lease is checked, slots, so that it never runs out unnoticed. */
export const LEASE_LOOK_SLOTS = LEASE_SLOTS / 4;

/**
 * Keeps the durable slot ceiling ahead of the current slot, at one small write per half lease. Crash case:
 * clients saw slot 120, the store has ceiling 164; the restart resumes at 165, so no slot is ever reused.
 */
export class SlotLease {
  #ceiling: number;

  /** @param slot the present one; the ceiling is {@link LEASE_SLOTS} above it. */
  constructor(slot: number) {
    this.#ceiling = slot + LEASE_SLOTS;
  }

  /** The ceiling that is written or being written. No slot above the written one is shown to clients. */
  get ceiling(): number {
    return this.#ceiling;
  }

  /** Extends the durable slot lease to `slot`; true if the ceiling was raised and must be written. */
  cover(slot: number): boolean {
    if (this.#ceiling - slot >= RENEW_SLOTS) return false;
    this.#ceiling = slot + LEASE_SLOTS;
    return true;
  }
}
