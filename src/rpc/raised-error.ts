import { isServiceError } from '../errors/service-error.ts';
import { describeTransactionError } from '../ledger/describe-transaction-error.ts';
import { TransactionRejected } from '../ledger/ledger.ts';
import { faucetRefusal, invalidParams, nodeBusy, nodeUnhealthy, RpcError } from './errors.ts';

/**
 * The RPC error for an error raised on purpose, here or by the ledger; undefined for any other error, which
 * is a bug.
 */
export function toRpcError(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (error instanceof TransactionRejected) {
    return invalidParams(`invalid transaction: ${describeTransactionError(error.reason)}`);
  }
  if (isServiceError(error, 'LEDGER_STOPPED')) return nodeUnhealthy();
  if (isServiceError(error, 'SERVICE_BUSY')) return nodeBusy();
  if (isServiceError(error, 'FAUCET_LIMIT')) return faucetRefusal(error.message);
  // Damage concerns only the operator; the log has the file.
  if (isServiceError(error, 'LEDGER_DAMAGED')) return undefined;
  return isServiceError(error) ? invalidParams(error.message) : undefined;
}
