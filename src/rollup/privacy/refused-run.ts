import type { Simulation } from '../../ledger/execution.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';

/**
 * How a transaction fails that would bring to light what its sender may not read. It says nothing of the
 * account.
 */
export const UNREADABLE: TransactionError = 'AccountNotFound';

/** The simulation of a transaction that is refused: nothing of a run is told. */
export function refusedRun(
  ledger: Pick<Ledger, 'head' | 'getAccount'>,
  { replaceBlockhash }: { readonly replaceBlockhash: boolean },
  err: TransactionError,
): Simulation {
  const { slot, blockhash, lastValidBlockHeight } = ledger.head();
  return {
    err,
    fee: null,
    preBalances: null,
    postBalances: null,
    preTokenBalances: null,
    postTokenBalances: null,
    innerInstructions: [],
    logs: [],
    loadedAddresses: { writable: [], readonly: [] },
    returnData: null,
    computeUnits: 0,
    loadedAccountsDataSize: 0,
    slot,
    replacementBlockhash: replaceBlockhash ? { blockhash, lastValidBlockHeight } : null,
    accountAfter: (address) => ledger.getAccount(address),
  };
}
