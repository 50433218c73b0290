import { describeTransactionError } from '../../ledger/describe-transaction-error.ts';
import type { Simulation } from '../../ledger/execution.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import type { Commitment } from '../../solana/commitment.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { PREFLIGHT_FAILURE, RpcError } from '../errors.ts';
import { commitmentLevel } from '../params/configs.ts';
import { bool, string, u64, usize } from '../params/primitives.ts';
import { optional, struct, withDefault } from '../params/struct.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { defineMethod, type RpcMethod } from '../rpc-method.ts';
import { readHead } from '../rpc-node.ts';
import { showReturnData } from '../transactions/execution-parts.ts';
import { isForNextSlot, nextSlot } from '../transactions/next-slot.ts';
import {
  decodeTransactionText,
  transactionEncoding,
  type TransactionEncoding,
} from '../wire/encoded-transaction.ts';

/**
 * Agave `RpcSendTransactionConfig`. There is one node, which takes a transaction at once or never: no
 * retries.
 */
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

/** What a caller is told of a preflight that failed with `err`. */
type Refuse = (simulation: Simulation, err: TransactionError) => RpcError;

/**
 * `sendTransaction([transaction, config?])`: runs a transaction for good and answers its first signature,
 * also when it did not land. Unless the caller skips it, a simulation comes first and its failure is the
 * answer, as `refuse` tells it. One that uses what this very slot made is held until the next.
 */
export const sendTransactionOr = (refuse: Refuse): RpcMethod =>
  defineMethod('sendTransaction', { required: [string], optional: [sendConfig] }, (node, text, config) => {
    const transaction = decodeTransactionText(text, config?.encoding);
    readHead(node, config);
    const preflight = config?.skipPreflight === true ? null : refuse;
    if (!isForNextSlot(node.ledger, transaction)) return send(node.ledger, transaction, preflight);
    return nextSlot(node.ledger).then(() => send(node.ledger, transaction, preflight));
  });

/** {@link sendTransactionOr} in the words of Agave. */
export const sendTransaction = sendTransactionOr((simulation, err) => {
  const message = `Transaction simulation failed: ${describeTransactionError(err)}`;
  return new RpcError(PREFLIGHT_FAILURE, message, failedRun(simulation, err));
});

function send(ledger: Ledger, transaction: Transaction, refuse: Refuse | null): Promise<string> {
  if (refuse !== null) {
    const simulation = ledger.simulate(transaction, { verifySignatures: true, replaceBlockhash: false });
    if (simulation.err !== null) throw refuse(simulation, simulation.err);
  }
  return ledger.submit(transaction).then(({ signature }) => signature);
}

/** The `data` of a refusal. Clients depend on it: some read the logs, and one breaks where it is missing. */
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
