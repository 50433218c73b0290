import { NATIVE_MINT } from '../../../programs/addresses.ts';
import type { Effect } from '../effects.ts';
import { tokenEffect, type Reading } from '../reading.ts';
import { lamportsOf } from './account-lamports.ts';

/**
 * Lamports of an account of wrapped SOL that become tokens: all beyond its rent. An unread account is taken
 * to have had none.
 */
export function syncEffects(r: Reading, role: string, earlier: readonly Effect[]): Effect[] {
  const address = r.account(role);
  if (address === null || r.mintOf(role) !== NATIVE_MINT) return [];
  const known = lamportsOf(r, role, earlier);
  const lamports =
    known === null
      ? earlier.reduce(
          (sum, effect) =>
            effect.kind === 'lamports' && effect.address === address ? sum + effect.change : sum,
          0n,
        )
      : known.start + known.moved + known.created - known.reserve;
  if (lamports <= 0n) return [];
  return [
    { kind: 'lamports', address, change: -lamports },
    tokenEffect(r, role, lamports, { mint: NATIVE_MINT, isConverted: true }),
  ];
}
