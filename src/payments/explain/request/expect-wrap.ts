import { NATIVE_MINT } from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import { RENT_PDA, RENT_PDA_TARGET_LAMPORTS } from '../../fees/rent-pda.ts';
import { NO_WRAP, type WrapNeeds } from '../../mints/wrapped-sol.ts';
import type { Doubt, Hints } from './expectation.ts';

/**
 * What a transfer of native SOL wraps. How much was wrapped before, and how much the rent PDA held, only the chain knew
 * then: the transaction's own figures are taken as long as they are not above what could ever be needed.
 */
export function expectedWrap(
  { lamportsTo }: Hints,
  transfer: { readonly mint: Address; readonly ata: Address; readonly wanted: bigint },
): { readonly wrap: WrapNeeds; readonly doubts: readonly Doubt[] } {
  if (transfer.mint !== NATIVE_MINT) return { wrap: NO_WRAP, doubts: [] };
  const wrapLamports = atMost(lamportsTo.get(transfer.ata), transfer.wanted);
  const rentTopUpLamports = atMost(lamportsTo.get(RENT_PDA), RENT_PDA_TARGET_LAMPORTS);
  const message = `It wraps ${wrapLamports} lamports of the owner's and gives ${rentTopUpLamports} to the rent PDA. That is not more than it could take; whether less would do depends on the chain.`;
  const doubts = wrapLamports + rentTopUpLamports === 0n ? [] : [{ claim: 'wrapping', message }];
  return { wrap: { wrapLamports, rentTopUpLamports }, doubts };
}

const atMost = (found: bigint | undefined, bound: bigint): bigint =>
  found === undefined ? 0n : found > bound ? bound : found;
