import { NATIVE_MINT } from '../../../programs/addresses.ts';
import { decodeRent } from '../../../programs/rent.ts';
import { RENT_SYSVAR } from '../../../programs/sysvars.ts';
import { decodeTokenAccount } from '../../../programs/token/state.ts';
import { LOCAL_RENT } from '../../../solana/rent.ts';
import type { Address } from '../../../solana/address.ts';
import { RENT_PDA, RENT_PDA_TARGET_LAMPORTS, rentPdaTarget } from '../../fees/shuttle-costs.ts';
import { findWrapNeeds, NO_WRAP, type WrapNeeds } from '../../mints/wrapped-sol.ts';
import type { ChainFacts } from '../state/chain-facts.ts';
import type { Doubt, ExpectationSource } from './expectation.ts';

/**
 * The expected wrapping of native SOL. The chain at building time showed how much was wrapped and what the
 * rent PDA held, so the transaction's own amounts are accepted up to what could ever be needed, with a doubt
 * if they are more than what is needed now.
 */
export function expectedWrap(
  { hints: { lamportsTo }, facts }: Pick<ExpectationSource, 'hints' | 'facts'>,
  transfer: { readonly mint: Address; readonly ata: Address; readonly wanted: bigint },
): { readonly wrap: WrapNeeds; readonly doubts: readonly Doubt[] } {
  if (transfer.mint !== NATIVE_MINT) return { wrap: NO_WRAP, doubts: [] };
  const wrapLamports = atMost(lamportsTo.get(transfer.ata), transfer.wanted);
  const rentTopUpLamports = atMost(lamportsTo.get(RENT_PDA), mostTopUp(facts));
  const needed = facts === null ? NO_WRAP : needsNow(transfer, facts);
  const message = `It wraps ${wrapLamports} lamports of the owner's and gives ${rentTopUpLamports} to the rent PDA. That is not more than it could take; whether less would do depends on the chain.`;
  const isNeeded = wrapLamports <= needed.wrapLamports && rentTopUpLamports <= needed.rentTopUpLamports;
  return {
    wrap: { wrapLamports, rentTopUpLamports },
    doubts: isNeeded ? [] : [{ claim: 'wrapping', message }],
  };
}

/** The hosted API's figure does not follow the rent. */
function mostTopUp(facts: ChainFacts | null): bigint {
  const rent = decodeRent(facts?.accounts.get(RENT_SYSVAR) ?? null);
  const own = rent === null ? 0n : rentPdaTarget(rent);
  return own > RENT_PDA_TARGET_LAMPORTS ? own : RENT_PDA_TARGET_LAMPORTS;
}

/** Nothing is taken to be needed where an account was not read. */
function needsNow(
  { ata, wanted }: { readonly ata: Address; readonly wanted: bigint },
  { accounts }: ChainFacts,
): WrapNeeds {
  const [source, rentPda] = [accounts.get(ata), accounts.get(RENT_PDA)];
  const rent = decodeRent(accounts.get(RENT_SYSVAR) ?? null) ?? LOCAL_RENT;
  return findWrapNeeds({
    wanted,
    wrapped:
      source === undefined ? wanted : source === null ? 0n : (decodeTokenAccount(source.data)?.amount ?? 0n),
    rentPdaLamports: rentPda === undefined ? rentPdaTarget(rent) : (rentPda?.lamports ?? 0n),
    rent,
  });
}

const atMost = (found: bigint | undefined, bound: bigint): bigint =>
  found === undefined ? 0n : found > bound ? bound : found;
