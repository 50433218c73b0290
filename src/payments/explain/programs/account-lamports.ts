import { NATIVE_MINT } from '../../../programs/addresses.ts';
import { decodeTokenAccount } from '../../../programs/token/state.ts';
import type { Effect } from '../effects.ts';
import type { Reading } from '../reading.ts';

/**
 * Lamports and tokens of an account when an instruction is reached. Of wrapped SOL the tokens are lamports of
 * the account as well; here lamports are counted once, as tokens from the sync on that makes them so.
 */
export interface AccountLamports {
  /** Lamports that are not tokens, before the transaction. */
  readonly start: bigint;
  /** What has come in since, less what has left. */
  readonly moved: bigint;
  /** What its creation by this transaction has added, if it is missing. */
  readonly created: bigint;
  /** Lamports that a sync leaves, which are its rent. */
  readonly reserve: bigint;
  /** Base units of wrapped SOL; 0 for other accounts, null if only the chain knows. */
  readonly tokens: bigint | null;
  /** Whether it is an account of wrapped SOL. */
  readonly isWrapped: boolean;
}

/**
 * The account in `role` after the effects of earlier instructions; null if the chain was not read.
 *
 * @param earlier in order.
 */
export function lamportsOf(r: Reading, role: string, earlier: readonly Effect[]): AccountLamports | null {
  const account = r.account(role);
  const onChain = r.lamportsOf(role) ?? (r.creationOf(role) === null ? null : 0n);
  if (account === null || onChain === null) return null;
  const isNative = r.mintOf(role) === NATIVE_MINT;
  const known = r.accountOf(role);
  const holding = isNative && known ? decodeTokenAccount(known.data) : null;
  const own = earlier.filter((effect) =>
    effect.kind === 'tokens'
      ? effect.account === account && effect.location === r.location
      : effect.address === account,
  );
  const start = onChain - (holding?.amount ?? 0n);
  let [moved, created, isWrapped] = [0n, 0n, holding !== null];
  for (const effect of own) {
    if (effect.kind === 'lamports') moved += effect.change;
    if (effect.kind === 'tokens' && effect.isConverted === true) {
      // Nothing but closing it turns tokens, or none, into lamports.
      isWrapped = (effect.change ?? 0n) > 0n;
      if (!isWrapped) created = 0n;
    }
    if (effect.kind !== 'creation' || isWrapped) continue;
    // Lamports that are there already are a part of the rent.
    const missing = (effect.lamports ?? 0n) - (start + moved + created);
    if (missing > 0n) created += missing;
    isWrapped = isNative;
  }
  const rent = own.find((effect) => effect.kind === 'creation')?.lamports;
  return {
    start,
    moved,
    created,
    reserve: holding?.rentExemptReserve ?? rent ?? r.rent(r.creationOf(role)?.space ?? 0n) ?? 0n,
    tokens: isNative ? sumTokens(holding?.amount ?? 0n, own) : 0n,
    isWrapped,
  };
}

function sumTokens(held: bigint, own: readonly Effect[]): bigint | null {
  let sum = held;
  for (const effect of own) {
    if (effect.kind !== 'tokens') continue;
    if (effect.change === null) return null;
    sum += effect.change;
  }
  return sum;
}
