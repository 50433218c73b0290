import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';

/**
 * `SystemInstruction` (u32): create account, transfer, create account with seed; each takes lamports, u64 at
 * 4 in the first two, from its first account.
 */
const SPENDING: ReadonlySet<number> = new Set([0, 2, 3]);

/**
 * Whether a transaction itself has the system program take lamports from its fee payer for another account.
 */
export function spendsFeePayer({ instructions }: Transaction, addresses: readonly Address[]): boolean {
  return instructions.some(({ programIdIndex, accounts, data }) => {
    if (addresses[programIdIndex] !== SYSTEM_PROGRAM || data.length < 4) return false;
    const tag = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
    return SPENDING.has(tag) && accounts[0] === 0 && accounts[1] !== 0;
  });
}
