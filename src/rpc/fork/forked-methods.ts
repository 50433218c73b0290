import { isServiceError } from '../../errors/service-error.ts';
import type { JsonValue } from '../../json/write-json.ts';
import type { Fork } from '../../ledger/provision/fork.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import type { TableLookup, Transaction } from '../../solana/transaction.ts';
import { NODE_UNHEALTHY, RpcError } from '../errors.ts';
import { ParamFault } from '../params/param-reader.ts';
import type { CallParams, RpcMethod } from '../rpc-method.ts';
import { decodeTransactionText, transactionEncoding } from '../wire/encoded-transaction.ts';

/**
 * Wraps methods for a fork. Before a method runs, the accounts in its parameters are copied from the cluster
 * unless they are local or known to be absent. If there is nothing to copy, the call runs immediately.
 * Searches (getProgramAccounts, getTokenAccountsByOwner, getTokenLargestAccounts, ...) cover only local
 * accounts. For a wallet with a mint, the ATA is copied first.
 */
export function forkedMethods(methods: readonly RpcMethod[], fork: Fork): RpcMethod[] {
  return methods.map((method) => ({
    ...method,
    call(node, params) {
      const named = accountsOfCall(method.name, params);
      const isLocal = named.lookups.length === 0 && fork.unknown(named.addresses).length === 0;
      if (isLocal) return method.call(node, params);
      return copyAccounts(fork, named).then(() => method.call(node, params));
    },
  }));
}

/** @throws {RpcError} -32005 if the cluster cannot be reached, because the caller is not at fault. */
async function copyAccounts(fork: Fork, { addresses, lookups }: NamedAccounts): Promise<void> {
  try {
    await fork.ensure(addresses, lookups);
  } catch (error) {
    if (!isServiceError(error) || !error.code.startsWith('UPSTREAM_')) throw error;
    const data = { numSlotsBehind: null, reason: error.code };
    throw new RpcError(NODE_UNHEALTHY, `Accounts cannot be copied: ${error.message}`, data);
  }
}

interface NamedAccounts {
  readonly addresses: readonly Address[];
  /** The transaction's lookups in address lookup tables. `addresses` includes the tables. */
  readonly lookups: readonly TableLookup[];
}

/**
 * Methods whose keys need no copy: blockhashes, votes, history (which is always local), and cheats that read
 * accounts themselves.
 */
const NAME_NOTHING: ReadonlySet<string> = new Set([
  'getBlockProduction',
  'getInflationReward',
  'getLeaderSchedule',
  'getSignaturesForAddress',
  'getVoteAccounts',
  'isBlockhashValid',
  'surfnet_exportSnapshot',
  'surfnet_resetAccount',
]);

/** Methods whose first parameter is a transaction and whose second parameter contains the encoding. */
const TAKE_TRANSACTION: ReadonlySet<string> = new Set(['sendTransaction', 'simulateTransaction']);

/** Methods with a wallet and a mint as parameters, which imply the ATA. */
const MEAN_ATA: ReadonlySet<string> = new Set([
  'getTokenAccountsByOwner',
  'requestTokenAirdrop',
  'surfnet_setTokenAccount',
]);

/** Maximum number of addresses collected per call. No method accepts that many (getMultipleAccounts: 100). */
const ADDRESSES_MAX = 256;

/** Returns the accounts of a call: all parameter strings that are addresses, and its transaction's keys. */
export function accountsOfCall(method: string, params: CallParams): NamedAccounts {
  if (NAME_NOTHING.has(method) || !Array.isArray(params)) return { addresses: [], lookups: [] };
  const values = params as readonly JsonValue[];
  const addresses: Address[] = [];
  collectAddresses(values, addresses);
  if (MEAN_ATA.has(method)) addresses.push(...atasMeant(values));
  const transaction = TAKE_TRANSACTION.has(method) ? simulateTransaction(values) : null;
  if (transaction === null) return { addresses, lookups: [] };
  const { staticKeys, lookups } = transaction;
  return { addresses: [...addresses, ...staticKeys, ...lookups.map(({ table }) => table)], lookups };
}

function collectAddresses(value: JsonValue, addresses: Address[]): void {
  if (addresses.length >= ADDRESSES_MAX) return;
  if (typeof value === 'string') {
    if (isAddress(value)) addresses.push(value);
  } else if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) collectAddresses(item, addresses);
  } else if (value instanceof Map) {
    for (const member of value.values()) collectAddresses(member, addresses);
  }
}

/** Returns the ATAs for SPL Token and for Token-2022, because the mint's program is not known yet. */
function atasMeant([owner, holding]: readonly JsonValue[]): Address[] {
  const mint = holding instanceof Map ? holding.get('mint') : holding;
  if (typeof owner !== 'string' || typeof mint !== 'string' || !isAddress(owner) || !isAddress(mint))
    return [];
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => deriveAta(owner, mint, program).address);
}

/** Decodes the transaction of a call; null for an invalid transaction, which the method itself reports. */
function simulateTransaction([text, config]: readonly JsonValue[]): Transaction | null {
  if (typeof text !== 'string') return null;
  const encoding = config instanceof Map ? (config.get('encoding') ?? null) : null;
  try {
    return decodeTransactionText(text, encoding === null ? undefined : transactionEncoding(encoding));
  } catch (error) {
    if (error instanceof RpcError || error instanceof ParamFault) return null;
    throw error;
  }
}
