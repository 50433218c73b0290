import { useConsole } from '../context/console.ts';
import { AccountView } from '../explorer/account.tsx';
import { BlockView } from '../explorer/block.tsx';
import { Explorer } from '../explorer/explorer.tsx';
import { TransactionView } from '../explorer/transaction.tsx';
import type { Ledger } from '../parts/reader.ts';
import { Nowhere } from './nowhere.tsx';
import { useViewReader } from './use-view-reader.ts';

/** The explorer as the present reader is told. */
export function ExplorerPlace() {
  return <Explorer reader={useViewReader()} state={useConsole().state.value} />;
}

export interface LedgerPlaceProps {
  readonly ledger: string;
  readonly what: string;
  readonly id: string;
}

/** A transaction, an account or a block of one ledger. */
export function LedgerPlace({ ledger, what, id }: LedgerPlaceProps) {
  const reader = useViewReader();
  if (!isLedger(ledger)) return <Nowhere />;
  switch (what) {
    case 'tx':
      return <TransactionView ledger={ledger} signature={id} reader={reader} />;
    case 'account':
      return <AccountView ledger={ledger} address={id} reader={reader} />;
    case 'block':
      return <BlockView ledger={ledger} slot={id} reader={reader} />;
    default:
      return <Nowhere />;
  }
}

const isLedger = (text: string): text is Ledger => text === 'base' || text === 'rollup';
