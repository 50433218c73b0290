import { NATIVE_MINT } from '../../../programs/addresses.ts';
import type { Effect, LamportEffect } from '../effects.ts';
import { spentBy, tokenEffect, type Reading } from '../reading.ts';
import { lamportsOf, type AccountLamports } from './account-lamports.ts';

/** Added to a text if the lamports of an account are unknown. */
export const unknownLamports = (r: Reading, role: string): string =>
  lamportsOf(r, role, []) === null ? ', how many only the chain can tell,' : '';

/** What closing the account in `role` pays out to that in `to`. Empty if the chain was not read. */
export function closingEffects(
  r: Reading,
  { role, to = 'destination' }: { readonly role: string; readonly to?: string },
  earlier: readonly Effect[],
): readonly LamportEffect[] {
  const lamports = lamportsOf(r, role, earlier);
  return lamports === null ? [] : payout(r, { role, to }, lamports, 0n);
}

/**
 * As above for a token account. It must be empty unless it holds wrapped SOL, whose tokens become lamports
 * again. What is no wrapped SOL of what it had before is as good as the lamports of who closes it.
 */
export function closingTokenEffects(r: Reading, earlier: readonly Effect[]): readonly Effect[] {
  const lamports = lamportsOf(r, 'account', earlier);
  if (lamports === null) return [];
  const { tokens } = lamports;
  const wrapped =
    r.mintOf('account') === NATIVE_MINT
      ? [
          tokenEffect(r, 'account', tokens === null ? null : -tokens, {
            mint: NATIVE_MINT,
            isConverted: true,
          }),
        ]
      : [];
  if (tokens === null) return wrapped;
  const paid = payout(r, { role: 'account', to: 'destination' }, lamports, tokens);
  return [...wrapped, ...spentBy(r, 'authority', paid, lamports.start)];
}

/** What the payer of an account has put in is counted as its creation, and comes back by closing it. */
function payout(
  r: Reading,
  { role, to }: { readonly role: string; readonly to: string },
  { start, moved, created }: AccountLamports,
  tokens: bigint,
): LamportEffect[] {
  const changes = [
    [r.account(role), -(start + moved)],
    [r.account(to), start + moved + created + tokens],
  ] as const;
  return changes.flatMap(([address, change]) =>
    address === null ? [] : { kind: 'lamports' as const, address, change },
  );
}
