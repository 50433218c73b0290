import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { SYSTEM_TABLE } from '../../programs/system.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { viewOf } from '../../solana/view-of.ts';

const { createAccount, transfer, createAccountWithSeed } = SYSTEM_TABLE;

/** Instructions of the system program that take lamports from their first account. */
const SPENDING = new Set([createAccount, transfer, createAccountWithSeed].map(({ tag }) => tag));

/**
 * Whether a transaction itself has the system program take lamports from its fee payer for another account.
 */
export function spendsFeePayer({ instructions }: Transaction, addresses: readonly Address[]): boolean {
  return instructions.some(({ programIdIndex, accounts, data }) => {
    if (addresses[programIdIndex] !== SYSTEM_PROGRAM || data.length < 4) return false;
    const tag = viewOf(data).getUint32(0, true);
    return SPENDING.has(tag) && accounts[0] === 0 && accounts[1] !== 0;
  });
}
