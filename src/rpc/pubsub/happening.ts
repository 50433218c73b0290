import type { Block } from '../../ledger/block.ts';
import type { AccountsSet, TransactionLanded } from '../../ledger/ledger-events.ts';

/** What a ledger tells its listeners. */
export type LedgerEvent = AccountsSet | TransactionLanded;

/** A slot is over: all that landed in it is durable and was told. */
export interface SlotEnded {
  readonly kind: 'slot-ended';
  readonly slot: number;
  /** What the slot added; null when the ledger has forgotten it already. */
  readonly block: () => Block | null;
  /** When this was found, ms since the Unix epoch. */
  readonly unixMs: number;
}

/** The ledger has come to a slot. */
export interface SlotBegan {
  readonly kind: 'slot-began';
  readonly slot: number;
  readonly parentSlot: number;
  /**
   * Whether the ledger is there now, and not further on: the sysvars of slots gone by cannot be shown any
   * more.
   */
  readonly isPresent: boolean;
  /** When this was found, ms since the Unix epoch. */
  readonly unixMs: number;
}

/** All that subscribers can be told about. */
export type Happening = LedgerEvent | SlotEnded | SlotBegan;
