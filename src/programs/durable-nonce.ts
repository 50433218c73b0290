import type { Transaction } from '../solana/transaction.ts';
import { viewOf } from '../solana/view-of.ts';
import { SYSTEM_PROGRAM } from './addresses.ts';
import { SYSTEM_TABLE } from './system.ts';

/**
 * Whether a transaction is built on a durable nonce: its first instruction advances one. It then lives until
 * the nonce is advanced, whatever the block height.
 */
export function usesDurableNonce({ instructions: [first], staticKeys }: Transaction): boolean {
  return (
    first !== undefined &&
    staticKeys[first.programIdIndex] === SYSTEM_PROGRAM &&
    first.data.length >= 4 &&
    viewOf(first.data).getUint32(0, true) === SYSTEM_TABLE.advanceNonce.tag
  );
}
