/**
 * How far ahead of the present the durable slot is. After an orderly stop the ledger goes on right after its last slot;
 * after a crash it goes on at most this many slots later, and in any case above every slot it ever told anybody.
 */
export const LEASE_SLOTS = 64;

/** Renewed with a quarter of it left: seconds on a slow ledger, most of one on a rollup, and a write takes milliseconds. */
const RENEW_SLOTS = LEASE_SLOTS / 4;

/** Keeps the slot in the store ahead of the slot of the ledger, at one small write in three quarters of a lease. */
export class SlotLease {
  #ceiling: number;

  /** @param slot the present one; the ceiling is {@link LEASE_SLOTS} above it. */
  constructor(slot: number) {
    this.#ceiling = slot + LEASE_SLOTS;
  }

  /** No slot above this one has been told to anybody, or will be before a higher ceiling is written. */
  get ceiling(): number {
    return this.#ceiling;
  }

  /** Called with every new slot; true when the ceiling has been raised and has to be written. */
  cover(slot: number): boolean {
    if (this.#ceiling - slot >= RENEW_SLOTS) return false;
    this.#ceiling = slot + LEASE_SLOTS;
    return true;
  }
}
