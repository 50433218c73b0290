/**
 * How far ahead of the present the durable slot is. After an orderly stop the ledger goes on right after its last slot;
 * after a crash it goes on at most this many slots later, and in any case above every slot it ever told anybody.
 */
export const LEASE_SLOTS = 64;

/** Renewed with half of it left: a good second on a fast rollup, and a write takes milliseconds. */
const RENEW_SLOTS = LEASE_SLOTS / 2;

/** So often, in slots, somebody has to look whether it is to be renewed, lest it runs out unseen. */
export const LEASE_LOOK_SLOTS = LEASE_SLOTS / 4;

/** Keeps the slot in the store ahead of the slot of the ledger, at one small write in half a lease. */
export class SlotLease {
  #ceiling: number;

  /** @param slot the present one; the ceiling is {@link LEASE_SLOTS} above it. */
  constructor(slot: number) {
    this.#ceiling = slot + LEASE_SLOTS;
  }

  /** The ceiling that is written or being written. Nobody is told a slot above the one that is written. */
  get ceiling(): number {
    return this.#ceiling;
  }

  /** Called with the slots the clock names; true when the ceiling has been raised and has to be written. */
  cover(slot: number): boolean {
    if (this.#ceiling - slot >= RENEW_SLOTS) return false;
    this.#ceiling = slot + LEASE_SLOTS;
    return true;
  }
}
