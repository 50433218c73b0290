import type { JsonOutput } from '../../json/write-json.ts';
import type { Simulation } from '../../ledger/ledger.ts';
import { allAccountKeys } from '../../ledger/run/account-keys.ts';
import type { Commitment } from '../../solana/commitment.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { accountEncoding, type AccountEncoding, accountsView } from '../accounts/account-encoding.ts';
import { showAccounts } from '../accounts/account-lists.ts';
import { invalidParams } from '../errors.ts';
import {
  bool,
  flattenedCommitment,
  optional,
  required,
  sequence,
  string,
  struct,
  u64,
  verifyAddress,
  withDefault,
} from '../params/readers.ts';
import { defineMethod, inContext, readHead, type RpcNode } from '../rpc-method.ts';
import { Scan, type Steps } from '../scan/scan.ts';
import {
  showLoadedAddresses,
  showParsedInnerInstructions,
  showReturnData,
  showTokenBalances,
} from '../transactions/show-transaction.ts';
import {
  decodeTransactionText,
  transactionEncoding,
  type TransactionEncoding,
} from '../wire/encoded-transaction.ts';

/** Agave's `RpcSimulateTransactionAccountsConfig`: the accounts to return in their state after the run. */
interface AccountsConfig {
  readonly encoding: AccountEncoding | undefined;
  readonly addresses: readonly string[];
}

interface SimulateConfig {
  readonly sigVerify: boolean;
  readonly replaceRecentBlockhash: boolean;
  readonly commitment: Commitment | undefined;
  readonly encoding: TransactionEncoding | undefined;
  readonly accounts: AccountsConfig | undefined;
  readonly minContextSlot: bigint | undefined;
  readonly innerInstructions: boolean;
}

/** Reads Agave's `RpcSimulateTransactionConfig`. */
const simulateConfig = struct<SimulateConfig>(
  'RpcSimulateTransactionConfig',
  {
    sigVerify: withDefault(bool, false),
    replaceRecentBlockhash: withDefault(bool, false),
    commitment: flattenedCommitment,
    encoding: optional(transactionEncoding),
    accounts: optional(
      struct<AccountsConfig>('RpcSimulateTransactionAccountsConfig', {
        encoding: optional(accountEncoding),
        addresses: required(sequence(string)),
      }),
    ),
    minContextSlot: optional(u64),
    innerInstructions: withDefault(bool, false),
  },
  { hasFlattened: true },
);

/** `simulateTransaction([transaction, config?])`: the outcome of a transaction, without effects. */
export const simulateTransaction = defineMethod(
  'simulateTransaction',
  { required: [string], optional: [simulateConfig] },
  (node, text, config) => {
    const transaction = decodeTransactionText(text, config?.encoding);
    readHead(node, config);
    const verifySignatures = config?.sigVerify ?? false;
    const replaceBlockhash = config?.replaceRecentBlockhash ?? false;
    if (verifySignatures && replaceBlockhash) {
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    }
    const simulate = (): Simulation =>
      node.ledger.simulate(transaction, { verifySignatures, replaceBlockhash });
    const accounts = config?.accounts;
    const showsInner = config?.innerInstructions ?? false;
    if (accounts === undefined) return showRun(node, transaction, simulate(), showsInner, null);
    return new Scan(function* () {
      const run = simulate();
      const keyCount = allAccountKeys(transaction, run.loadedAddresses).length;
      const shown = yield* showAccountsAfter(accounts, run, keyCount);
      return showRun(node, transaction, run, showsInner, shown);
    });
  },
);

function showRun(
  node: RpcNode,
  transaction: Transaction,
  run: Simulation,
  showsInner: boolean,
  accounts: JsonOutput,
): JsonOutput {
  const inner = showsInner && wasExecuted(run);
  const keys = inner ? allAccountKeys(transaction, run.loadedAddresses) : [];
  return inContext(node, run.slot, {
    accounts,
    err: run.err,
    fee: run.fee,
    innerInstructions: inner ? showParsedInnerInstructions(run, keys) : null,
    loadedAccountsDataSize: run.loadedAccountsDataSize,
    loadedAddresses: showLoadedAddresses(run.loadedAddresses),
    logs: run.logs,
    postBalances: run.postBalances,
    postTokenBalances: run.postTokenBalances && showTokenBalances(run.postTokenBalances),
    preBalances: run.preBalances,
    preTokenBalances: run.preTokenBalances && showTokenBalances(run.preTokenBalances),
    replacementBlockhash: run.replacementBlockhash && { ...run.replacementBlockhash },
    returnData: showReturnData(run),
    unitsConsumed: run.computeUnits,
  });
}

/** Shows the requested accounts after the run. After a failure, all are null, as in Agave. */
function* showAccountsAfter(config: AccountsConfig, run: Simulation, accountsMax: number): Steps<JsonOutput> {
  const { addresses, encoding } = config;
  if (encoding === 'binary' || encoding === 'base58') throw invalidParams('base58 encoding not supported');
  if (addresses.length > accountsMax) {
    throw invalidParams(`Too many accounts provided; max ${accountsMax}`);
  }
  if (run.err !== null) return addresses.map(() => null);
  const found = addresses.map(verifyAddress).map((address) => [address, run.accountAfter(address)] as const);
  const view = accountsView(config, 'base64', (address) => run.accountAfter(address));
  return yield* showAccounts(found, view);
}

/** Whether programs ran. They do not run if the signatures, blockhash or accounts are rejected. */
function wasExecuted({ err }: Simulation): boolean {
  return (
    err === null ||
    (typeof err === 'object' && ('InstructionError' in err || 'InsufficientFundsForRent' in err))
  );
}
