import {
  createLookupTable,
  extendLookupTable,
  freezeLookupTable,
} from '../../programs/lookup-table-instructions.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { fits } from '../building/fits.ts';

/** A table that is to be made. */
interface TableWish {
  readonly payer: Address;
  readonly authority: Address;
  /** One of those that the base ledger still knows. */
  readonly recentSlot: bigint;
  readonly addresses: readonly Address[];
  readonly freezes: boolean;
}

/** A table, and the transactions that make it, one after the other. */
interface TablePlan {
  readonly lookupTable: Address;
  readonly transactions: readonly (readonly Instruction[])[];
  /** The addresses that each of them adds; without the one that freezes, which adds none. */
  readonly parts: readonly (readonly Address[])[];
}

/** Its creation with as many addresses as fit, then the others; last, where it is to be frozen, that. */
export function planLookupTable({ payer, authority, recentSlot, addresses, freezes }: TableWish): TablePlan {
  const { lookupTable, create } = createLookupTable({ authority, payer }, recentSlot);
  const accounts = { lookupTable, authority, payer };
  const transactions: Instruction[][] = [];
  const parts: (readonly Address[])[] = [];
  let left = addresses;
  while (left.length > 0) {
    const head = transactions.length === 0 ? [create] : [];
    const withCount = (count: number) => [...head, extendLookupTable(accounts, left.slice(0, count))];
    let count = 1;
    while (count < left.length && fits(payer, withCount(count + 1))) count++;
    transactions.push(withCount(count));
    parts.push(left.slice(0, count));
    left = left.slice(count);
  }
  if (freezes) transactions.push([freezeLookupTable(accounts)]);
  return { lookupTable, transactions, parts };
}
