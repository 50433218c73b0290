import type { Execution } from '../../ledger/execution.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { countRequestedWriteLocks } from './account-keys.ts';

/** Compute units (Agave `block_cost_limits`). */
const SIGNATURE_COST = 720;
const WRITE_LOCK_COST = 300;
/** Bytes of instruction data per unit. */
const DATA_BYTES_PER_UNIT = 4;
/** Loaded account data is charged per page (Agave `ACCOUNT_DATA_COST_PAGE_SIZE`, `DEFAULT_HEAP_COST`). */
const PAGE_BYTES = 32 * 1024;
const PAGE_COST = 8;

/** The cost of each signature a precompile verifies. The first byte of its instruction is their number. */
const PRECOMPILE_SIGNATURE_COSTS: ReadonlyMap<Address, number> = new Map([
  ['KeccakSecp256k11111111111111111111111111111' as Address, 6_690],
  ['Ed25519SigVerify111111111111111111111111111' as Address, 2_400],
  ['Secp256r1SigVerify1111111111111111111111111' as Address, 4_800],
]);

/**
 * The share of its block that an executed transaction used, in compute units: signatures, write locks,
 * instruction data, program execution and loaded data (Agave
 * `CostModel::calculate_cost_for_executed_transaction`).
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
