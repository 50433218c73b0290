import type { JsonOutput } from '../../json/write-json.ts';
import type { Preflight, Simulation } from '../../ledger/ledger.ts';
import { describeTransactionError, type TransactionError } from '../../ledger/transaction-errors.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { PREFLIGHT_FAILURE, RpcError } from '../errors.ts';
import {
  bool,
  commitmentLevel,
  optional,
  string,
  struct,
  u64,
  usize,
  withDefault,
} from '../params/readers.ts';
import { defineMethod, readHead, type RpcMethod } from '../rpc-method.ts';
import { isForNextSlot, nextSlot } from '../transactions/next-slot.ts';
import { showReturnData } from '../transactions/show-transaction.ts';
import {
  decodeTransactionText,
  transactionEncoding,
  type TransactionEncoding,
} from '../wire/encoded-transaction.ts';

/** Reads Agave's `RpcSendTransactionConfig`. Retry options have no effect: a single node needs no retries. */
const sendConfig = struct<{
  readonly skipPreflight: boolean;
  readonly preflightCommitment: Commitment | undefined;
  readonly encoding: TransactionEncoding | undefined;
  readonly maxRetries: bigint | undefined;
  readonly minContextSlot: bigint | undefined;
}>('RpcSendTransactionConfig', {
  skipPreflight: withDefault(bool, false),
  preflightCommitment: optional(commitmentLevel),
  encoding: optional(transactionEncoding),
  maxRetries: optional(usize),
  minContextSlot: optional(u64),
});

/** Creates the error for a preflight that failed with `err`. */
type Refuse = (simulation: Simulation, err: TransactionError) => RpcError;

/**
 * `sendTransaction([transaction, config?])`: runs a transaction and returns its first signature, even if it
 * did not land. Unless the caller skips preflight, the transaction is simulated first, and a failure throws
 * the error from `refuse`. A transaction that needs state created in the current slot waits for the next
 * slot.
 */
export const sendTransactionOr = (refuse: Refuse): RpcMethod =>
  defineMethod('sendTransaction', { required: [string], optional: [sendConfig] }, (node, text, config) => {
    const transaction = decodeTransactionText(text, config?.encoding);
    readHead(node, config);
    const preflight: Preflight = (simulation) => {
      if (simulation.err !== null) throw refuse(simulation, simulation.err);
    };
    const options = config?.skipPreflight === true ? {} : { preflight };
    const send = async (): Promise<string> => (await node.ledger.submit(transaction, options)).signature;
    return isForNextSlot(node.ledger, transaction) ? nextSlot(node.ledger).then(send) : send();
  });

/** {@link sendTransactionOr} with Agave's messages. */
export const sendTransaction = sendTransactionOr((simulation, err) => {
  const message = `Transaction simulation failed: ${describeTransactionError(err)}`;
  return new RpcError(PREFLIGHT_FAILURE, message, failedRun(simulation, err));
});

/** Returns the `data` of a preflight error. Some clients read its logs, and one crashes without it. */
export function failedRun(simulation: Simulation, err: TransactionError): JsonOutput {
  return {
    accounts: null,
    err,
    fee: simulation.fee,
    innerInstructions: null,
    loadedAccountsDataSize: simulation.loadedAccountsDataSize,
    loadedAddresses: null,
    logs: simulation.logs,
    postBalances: null,
    postTokenBalances: null,
    preBalances: null,
    preTokenBalances: null,
    replacementBlockhash: null,
    returnData: showReturnData(simulation),
    unitsConsumed: simulation.computeUnits,
  };
}
