import type { Simulation } from '../../ledger/execution.ts';
import type { Address } from '../../solana/address.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { accountEncoding, showAccount, type AccountEncoding } from '../accounts/account-encoding.ts';
import { invalidParams } from '../errors.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { bool, sequence, string, u64 } from '../params/primitives.ts';
import { optional, required, struct, withDefault } from '../params/struct.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';
import { allAccountKeys } from '../transactions/account-keys.ts';
import {
  showLoadedAddresses,
  showParsedInnerInstructions,
  showReturnData,
  showTokenBalances,
} from '../transactions/execution-parts.ts';
import {
  decodeTransactionText,
  transactionEncoding,
  type TransactionEncoding,
} from '../wire/encoded-transaction.ts';

/** Agave `RpcSimulateTransactionAccountsConfig`: the accounts whose state afterwards is wanted. */
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

/** Agave `RpcSimulateTransactionConfig`. */
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

/** `simulateTransaction([transaction, config?])`: what would come of a transaction. Nothing is kept of it. */
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
    const simulation = node.ledger.simulate(transaction, { verifySignatures, replaceBlockhash });
    const keys = allAccountKeys(transaction, simulation.loadedAddresses);
    const accounts = config?.accounts && showAccountsAfter(config.accounts, simulation, keys.length);
    const showsInner = config?.innerInstructions === true && wasExecuted(simulation);
    return inContext(node, simulation.slot, {
      accounts: accounts ?? null,
      err: simulation.err,
      fee: simulation.fee,
      innerInstructions: showsInner ? showParsedInnerInstructions(simulation, keys) : null,
      loadedAccountsDataSize: simulation.loadedAccountsDataSize,
      loadedAddresses: showLoadedAddresses(simulation.loadedAddresses),
      logs: simulation.logs,
      postBalances: simulation.postBalances,
      postTokenBalances: simulation.postTokenBalances && showTokenBalances(simulation.postTokenBalances),
      preBalances: simulation.preBalances,
      preTokenBalances: simulation.preTokenBalances && showTokenBalances(simulation.preTokenBalances),
      replacementBlockhash: simulation.replacementBlockhash && { ...simulation.replacementBlockhash },
      returnData: showReturnData(simulation),
      unitsConsumed: simulation.computeUnits,
    });
  },
);

/** The accounts a caller asked for as they would be afterwards; after a failure Agave shows none of them. */
function showAccountsAfter(
  { addresses, encoding = 'base64' }: AccountsConfig,
  simulation: Simulation,
  accountsMax: number,
): JsonOutput {
  if (encoding === 'binary' || encoding === 'base58') throw invalidParams('base58 encoding not supported');
  if (addresses.length > accountsMax) {
    throw invalidParams(`Too many accounts provided; max ${accountsMax}`);
  }
  if (simulation.err !== null) return addresses.map(() => null);
  const lookUp = (address: Address): ReturnType<Simulation['accountAfter']> =>
    simulation.accountAfter(address);
  return addresses.map((text) => {
    const address = verifyAddress(text);
    const account = lookUp(address);
    return account === null ? null : showAccount(address, account, { encoding, lookUp });
  });
}

/** Whether programs ran: not so when the transaction was refused for its signatures, its blockhash or its accounts. */
function wasExecuted({ err }: Simulation): boolean {
  return (
    err === null ||
    (typeof err === 'object' && ('InstructionError' in err || 'InsufficientFundsForRent' in err))
  );
}
