import { encodeBase58 } from '../../solana/base58.ts';
import { decodeTransaction, WireError } from '../../solana/transaction.ts';
import { comparePositions } from '../store/record-position.ts';
import type { RecordPosition } from '../store/store.ts';
import type { LedgerRow } from './rows.ts';
import type { TransactionRow } from './transaction-row.ts';

/** Says of the transactions of an export, in their order, what no ledger can have. */
export class TransactionsJudge {
  readonly #ledger: LedgerRow;
  #last: RecordPosition = { slot: -1, index: 0 };
  #count = 0;

  constructor(ledger: LedgerRow) {
    this.#ledger = ledger;
  }

  /** What is wrong with the next one; null where nothing is. */
  faultOf({ record }: Pick<TransactionRow, 'record'>): string | null {
    const { slotCeiling, firstSlot } = this.#ledger;
    const { slot, index, signature, wire } = record;
    if (slot > slotCeiling) return `record.slot is above slotCeiling, ${slotCeiling}`;
    if (slot < firstSlot) return `record.slot is below firstSlot, ${firstSlot}`;
    if (comparePositions(record, this.#last) <= 0)
      return 'record is not behind the one that stands before it';
    this.#last = { slot, index };
    this.#count++;
    return wireFault(wire, signature);
  }

  /** What is wrong with all of them together; null where nothing is. */
  endFault(): string | null {
    const { recordCount, firstSlot } = this.#ledger;
    const isCounted = firstSlot === 0 ? this.#count === recordCount : this.#count <= recordCount;
    return isCounted
      ? null
      : `${this.#count} transactions stand before it, of a recordCount of ${recordCount}`;
  }
}

function wireFault(wire: Uint8Array, signature: string): string | null {
  try {
    const [first] = decodeTransaction(wire).signatures;
    const isFirst = first !== undefined && encodeBase58(first) === signature;
    return isFirst ? null : 'record.signature is not the first one of record.wire';
  } catch (error) {
    if (error instanceof WireError) return `record.wire is no transaction: ${error.message}`;
    throw error;
  }
}
