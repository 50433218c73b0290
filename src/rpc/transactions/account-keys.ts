import type { JsonOutput } from '../../json/write-json.ts';
import type { Execution, LoadedAddresses } from '../../ledger/ledger.ts';
import { allAccountKeys, isRequestedWritable } from '../../ledger/run/account-keys.ts';
import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';

/** Shows the account keys with their permissions, for `jsonParsed` (Agave `ParsedAccount`). */
export function showAccountKeys(transaction: Transaction, loaded: LoadedAddresses): readonly JsonOutput[] {
  const keys = allAccountKeys(transaction, loaded);
  const isWritable = writability(transaction, loaded, keys);
  const staticCount = transaction.staticKeys.length;
  return keys.map((pubkey, index) => ({
    pubkey,
    signer: index < transaction.requiredSignatures,
    source: index < staticCount ? 'transaction' : 'lookupTable',
    writable: isWritable(pubkey, index),
  }));
}

/** Returns the accounts that a transaction may write (Agave `is_writable` of its messages). */
export function writableKeys(transaction: Transaction, loaded: LoadedAddresses): readonly Address[] {
  const keys = allAccountKeys(transaction, loaded);
  return keys.filter(writability(transaction, loaded, keys));
}

/** Counts the accounts that the message requests as writable, granted or not. */
export function countRequestedWriteLocks(transaction: Transaction, loaded: LoadedAddresses): number {
  const { staticKeys, readonlySigned, readonlyUnsigned } = transaction;
  return staticKeys.length - readonlySigned - readonlyUnsigned + loaded.writable.length;
}

/** Creates a predicate for writable keys. */
function writability(
  transaction: Transaction,
  loaded: LoadedAddresses,
  keys: readonly Address[],
): (key: Address, index: number) => boolean {
  const demoted = demotedPrograms(transaction, keys);
  return (key, index) =>
    isRequestedWritable(transaction, loaded, index) && !RESERVED_KEYS.has(key) && !demoted.has(index);
}

/** Returns the called programs. They are read-only, unless the upgradeable loader is among the keys. */
function demotedPrograms(transaction: Transaction, keys: readonly Address[]): ReadonlySet<number> {
  if (keys.includes(BPF_LOADER_UPGRADEABLE)) return new Set();
  return new Set(transaction.instructions.map(({ programIdIndex }) => programIdIndex));
}

/** Native programs and sysvars, which no transaction may write (`ReservedAccountKeys::new_all_activated`). */
export const RESERVED_KEYS: ReadonlySet<Address> = new Set(
  [
    'AddressLookupTab1e1111111111111111111111111',
    'BPFLoader2111111111111111111111111111111111',
    'BPFLoader1111111111111111111111111111111111',
    'BPFLoaderUpgradeab1e11111111111111111111111',
    'ComputeBudget111111111111111111111111111111',
    'Config1111111111111111111111111111111111111',
    'Ed25519SigVerify111111111111111111111111111',
    'Feature111111111111111111111111111111111111',
    'LoaderV411111111111111111111111111111111111',
    'KeccakSecp256k11111111111111111111111111111',
    'Secp256r1SigVerify1111111111111111111111111',
    'StakeConfig11111111111111111111111111111111',
    'Stake11111111111111111111111111111111111111',
    '11111111111111111111111111111111',
    'Vote111111111111111111111111111111111111111',
    'ZkE1Gama1Proof11111111111111111111111111111',
    'ZkTokenProof1111111111111111111111111111111',
    'SysvarC1ock11111111111111111111111111111111',
    'SysvarEpochRewards1111111111111111111111111',
    'SysvarEpochSchedu1e111111111111111111111111',
    'SysvarFees111111111111111111111111111111111',
    'Sysvar1nstructions1111111111111111111111111',
    'SysvarLastRestartS1ot1111111111111111111111',
    'SysvarRecentB1ockHashes11111111111111111111',
    'SysvarRent111111111111111111111111111111111',
    'SysvarRewards111111111111111111111111111111',
    'SysvarS1otHashes111111111111111111111111111',
    'SysvarS1otHistory11111111111111111111111111',
    'SysvarStakeHistory1111111111111111111111111',
    'NativeLoader1111111111111111111111111111111',
    'Sysvar1111111111111111111111111111111111111',
  ].map((text) => text as Address),
);

/** Costs, in compute units (Agave `block_cost_limits`). */
const SIGNATURE_COST = 720;
const WRITE_LOCK_COST = 300;
/** Bytes of instruction data per unit. */
const DATA_BYTES_PER_UNIT = 4;
/** Page size and cost of loaded account data (Agave `ACCOUNT_DATA_COST_PAGE_SIZE`, `DEFAULT_HEAP_COST`). */
const PAGE_BYTES = 32 * 1024;
const PAGE_COST = 8;

/** Cost per signature of each precompile. The first byte of its instruction is the number of signatures. */
const PRECOMPILE_SIGNATURE_COSTS: ReadonlyMap<Address, number> = new Map([
  ['KeccakSecp256k11111111111111111111111111111' as Address, 6_690],
  ['Ed25519SigVerify111111111111111111111111111' as Address, 2_400],
  ['Secp256r1SigVerify1111111111111111111111111' as Address, 4_800],
]);

/**
 * Computes the block space of an executed transaction, in compute units: signatures, write locks, instruction
 * data, program execution and loaded data (Agave `CostModel::calculate_cost_for_executed_transaction`).
 */
export function costUnits(transaction: Transaction, execution: Execution): number {
  let signatureCost = transaction.requiredSignatures * SIGNATURE_COST;
  let dataBytes = 0;
  for (const { programIdIndex, data } of transaction.instructions) {
    dataBytes += data.length;
    const cost = PRECOMPILE_SIGNATURE_COSTS.get(transaction.staticKeys[programIdIndex] as Address);
    if (cost !== undefined) signatureCost += (data[0] ?? 0) * cost;
  }
  return (
    signatureCost +
    countRequestedWriteLocks(transaction, execution.loadedAddresses) * WRITE_LOCK_COST +
    Math.floor(dataBytes / DATA_BYTES_PER_UNIT) +
    execution.computeUnits +
    Math.ceil(execution.loadedAccountsDataSize / PAGE_BYTES) * PAGE_COST
  );
}
