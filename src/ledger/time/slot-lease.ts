/**
 * How far ahead of the present the durable slot is. After an orderly stop the ledger goes on right after its last slot;
 * after a crash it goes on at most this many slots later, and in any case above every slot it ever told anybody.
 */
export const LEASE_SLOTS = 64;

/** Renewed with half of it left, so that the write is long done when it is needed. */
const RENEW_SLOTS = LEASE_SLOTS / 2;

/** Keeps the slot in the store ahead of the slot of the ledger, at one small write in {@link RENEW_SLOTS} slots. */
export class SlotLease {
  readonly #write: (ceiling: number) => void;
  #ceiling: number;

  /** @param write makes a ceiling durable. */
  constructor(ceiling: number, write: (ceiling: number) => void) {
    this.#ceiling = ceiling;
    this.#write = write;
  }

  /** No slot above this one has been told to anybody, or will be before a higher ceiling is written. */
  get ceiling(): number {
    return this.#ceiling;
  }

  /** Called with every new slot. */
  cover(slot: number): void {
    if (this.#ceiling - slot >= RENEW_SLOTS) return;
    this.#ceiling = slot + LEASE_SLOTS;
    this.#write(this.#ceiling);
  }
}
