import type { Block } from '../../ledger/block.ts';
import type { AccountsSet, TransactionLanded } from '../../ledger/ledger-events.ts';

/** The events a ledger publishes. */
export type LedgerEvent = AccountsSet | TransactionLanded;

/** A slot has ended: everything that landed in it is durable and was published. */
export interface SlotEnded {
  readonly kind: 'slot-ended';
  readonly slot: number;
  /** Reads the block of the slot; null if the ledger has dropped it already. */
  readonly block: () => Block | null;
  /** When this was noticed, Unix ms. */
  readonly unixMs: number;
}

/** The ledger has reached a slot. */
export interface SlotBegan {
  readonly kind: 'slot-began';
  readonly slot: number;
  readonly parentSlot: number;
  /** Whether it is still the ledger's current slot: the sysvars of past slots are not available. */
  readonly isPresent: boolean;
  /** When this was noticed, Unix ms. */
  readonly unixMs: number;
}

/** Everything subscribers can be notified of. */
export type Happening = LedgerEvent | SlotEnded | SlotBegan;
