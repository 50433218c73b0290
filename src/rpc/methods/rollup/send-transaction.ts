import { describeTransactionError } from '../../../ledger/describe-transaction-error.ts';
import { RpcError, TRANSACTION_VERIFICATION } from '../../errors.ts';
import { failedRun, sendTransactionOr } from '../send-transaction.ts';

/**
 * `sendTransaction` with the ephemeral validator's error code and message. `data` has the simulation as on a
 * ledger node, which the ephemeral validator omits, so that clients need not simulate again for the logs.
 */
export const sendTransaction = sendTransactionOr((simulation, err) => {
  const message = `transaction verification error: ${describeTransactionError(err)}`;
  return new RpcError(TRANSACTION_VERIFICATION, message, failedRun(simulation, err));
});
