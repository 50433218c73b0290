import type { TransactionRecord } from '../../ledger/execution.ts';
import { comparePositions } from '../../ledger/store/store.ts';
import { BooksView } from '../../rollup/books/books.ts';
import type { KeptLedger, KeptLedgers } from './kept-ledgers.ts';
import { type MintStanding, standingsOf } from './mint-standing.ts';

/** What a ledger has. */
export interface LedgerFigures {
  readonly ledger: KeptLedger['name'];
  readonly genesisHash: string;
  /** The highest slot that anybody may have been told of. */
  readonly slot: number;
  readonly accounts: number;
  /** Transactions that are kept. */
  readonly transactions: number;
  /** Transactions that were forgotten, as the oldest are. */
  readonly forgotten: number;
}

/** What a data folder has, and what is wrong with it. */
export interface Verification {
  /** Whether nothing is damaged, and every vault has what is owed out of it. */
  readonly isSound: boolean;
  readonly ledgers: readonly LedgerFigures[];
  readonly mints: readonly MintStanding[];
  /** What the rollup has accepted and base has not carried out. */
  readonly open: { readonly undelegations: number; readonly intents: number } | null;
  /** What is not as it was written, a sentence each. */
  readonly damage: readonly string[];
}

/**
 * Reads every value of the ledgers once, and holds their parts against each other.
 *
 * @throws {ServiceError} LEDGER_DAMAGED for a value that cannot be read.
 */
export function verifyLedgers({ base, rollup, pairFault }: KeptLedgers): Verification {
  const kept = rollup === null ? [base] : [base, rollup];
  const damage = kept.flatMap(faultsOf);
  if (pairFault !== null) damage.push(pairFault);
  const books = rollup && new BooksView(rollup.accounts);
  // One of before base was reset begins anew at the next start.
  const isOfBase = books?.baseGenesisHash === base.identity.genesisHash;
  const mints = standingsOf(base.accounts, isOfBase && rollup !== null ? rollup.accounts : null);
  const isSolvent = mints.every(({ vault }) => vault === null || vault.fault === null);
  const open = books && { undelegations: books.requests().length, intents: books.intents().length };
  return { isSound: damage.length === 0 && isSolvent, ledgers: kept.map(figuresOf), mints, open, damage };
}

function figuresOf({ name, store, identity, accounts }: KeptLedger): LedgerFigures {
  let transactions = 0;
  for (const _ of store.recordsFrom(0)) transactions++;
  return {
    ledger: name,
    genesisHash: identity.genesisHash,
    slot: store.slotCeiling,
    accounts: accounts.size,
    transactions,
    forgotten: store.recordCount - transactions,
  };
}

/** What is wrong with the transactions of a ledger: their order, and whether each is found. */
function faultsOf({ name, store }: KeptLedger): string[] {
  const faults: string[] = [];
  let last: Pick<TransactionRecord, 'slot' | 'index'> = { slot: -1, index: 0 };
  let count = 0;
  for (const record of store.recordsFrom(0)) {
    const { signature, slot, index } = record;
    count++;
    const found = store.record(signature);
    if (
      comparePositions(record, last) <= 0 ||
      slot > store.slotCeiling ||
      found?.slot !== slot ||
      found.index !== index
    ) {
      faults.push(
        `The transaction ${signature} of slot ${slot} of the ${name} ledger is not where it landed`,
      );
    }
    last = { slot, index };
  }
  const isCounted = store.firstSlot === 0 ? count === store.recordCount : count < store.recordCount;
  if (!isCounted) faults.push(`The ${name} ledger has ${count} transactions of ${store.recordCount}`);
  return faults;
}
