import { NATIVE_MINT } from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import { RENT_PDA, RENT_PDA_TARGET_LAMPORTS } from '../../fees/shuttle-costs.ts';
import { NO_WRAP, type WrapNeeds } from '../../mints/wrapped-sol.ts';
import type { Doubt, Hints } from './expectation.ts';

/**
 * The expected wrapping of native SOL. Only the chain at building time showed how much was wrapped and what
 * the rent PDA held, so the transaction's own amounts are accepted up to what could ever be needed.
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
