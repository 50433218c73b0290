import { NATIVE_MINT } from '../../../programs/addresses.ts';
import { decodeTokenAccount } from '../../../programs/token/state.ts';
import type { Address } from '../../../solana/address.ts';
import type { Effect, LamportEffect } from '../effects.ts';
import { lamportEffects, spentBy, tokenEffect, type Reading } from '../reading.ts';

/** Added to a text if the lamports of an account are unknown. */
export const unknownLamports = (r: Reading, role: string): string =>
  startingLamports(r, role) === null ? ', how many only the chain can tell,' : '';

/** What closing the account in `role` pays out to that in `to`. Empty if the chain was not read. */
export function closingEffects(
  r: Reading,
  { role, to = 'destination' }: { readonly role: string; readonly to?: string },
  earlier: readonly Effect[],
): readonly LamportEffect[] {
  const account = r.account(role);
  const start = startingLamports(r, role);
  if (account === null || start === null) return [];
  return lamportEffects(account, r.account(to), start + lamportsBefore(account, start, earlier));
}

/**
 * As above for a token account. It must be empty unless it holds wrapped SOL, whose tokens become lamports
 * again. What is no wrapped SOL of what it had before is as good as the lamports of who closes it.
 */
export function closingTokenEffects(r: Reading, earlier: readonly Effect[]): readonly Effect[] {
  const account = r.account('account');
  const start = startingLamports(r, 'account');
  if (account === null || start === null) return [];
  const before = lamportsBefore(account, start, earlier);
  const closed = (lamports: bigint, own: bigint) =>
    spentBy(r, 'authority', lamportEffects(account, r.account('destination'), lamports), own);
  if (r.mintOf('account') !== NATIVE_MINT) return closed(start + before, start);
  const wrapped = wrappedBefore(r, account, earlier);
  if (wrapped === null) return [];
  return [
    tokenEffect(r, 'account', -(wrapped.held + wrapped.arrived), { mint: NATIVE_MINT }),
    ...closed(start + wrapped.arrived + before, start - wrapped.held),
  ];
}

/**
 * Lamports of an account before the transaction; null if the chain was not read. One created here has none.
 */
function startingLamports(r: Reading, role: string): bigint | null {
  return r.lamportsOf(role) ?? (r.creationOf(role) === null ? null : 0n);
}

function lamportsBefore(account: Address, start: bigint, earlier: readonly Effect[]): bigint {
  return earlier.reduce((sum, effect) => {
    if (effect.kind === 'tokens' || effect.address !== account) return sum;
    if (effect.kind === 'lamports') return sum + effect.change;
    return start === 0n ? sum + effect.lamports : sum;
  }, 0n);
}

/** Wrapped SOL in the account at first plus what came in since; null if unknown. */
function wrappedBefore(
  r: Reading,
  account: Address,
  earlier: readonly Effect[],
): { readonly held: bigint; readonly arrived: bigint } | null {
  const known = r.accountOf('account');
  const held = known ? decodeTokenAccount(known.data)?.amount : 0n;
  if (held === undefined) return null;
  let arrived = 0n;
  for (const effect of earlier) {
    if (effect.kind !== 'tokens' || effect.account !== account || effect.location !== r.location) continue;
    if (effect.change === null) return null;
    arrived += effect.change;
  }
  return { held, arrived };
}
