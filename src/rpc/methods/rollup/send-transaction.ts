import { describeTransactionError } from '../../../ledger/describe-transaction-error.ts';
import { RpcError, TRANSACTION_VERIFICATION } from '../../errors.ts';
import { failedRun, sendTransactionOr } from '../send-transaction.ts';

/**
 * `sendTransaction` that refuses in the code and the words of the ephemeral validator. That one says no more;
 * the simulation in `data` is as a ledger node has it, so that nobody has to ask again for the logs.
 */
export const sendTransaction = sendTransactionOr((simulation, err) => {
  const message = `transaction verification error: ${describeTransactionError(err)}`;
  return new RpcError(TRANSACTION_VERIFICATION, message, failedRun(simulation, err));
});
