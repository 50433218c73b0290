import type { TransactionError } from '../../ledger/transaction-error.ts';
import type { JsonOutput } from '../../json/json-value.ts';

/** The outcome as a Rust `Result`, the older of the two forms that answers contain. */
export function showStatus(err: TransactionError | null): JsonOutput {
  return err === null ? { Ok: null } : { Err: err };
}
