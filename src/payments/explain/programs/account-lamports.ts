import { NATIVE_MINT, TOKEN_2022_PROGRAM } from '../../../programs/addresses.ts';
import { ataBytes, decodeMintExtensions } from '../../../programs/token/mint-extensions.ts';
import { decodeTokenAccount } from '../../../programs/token/state.ts';
import { type Effect, type LamportEffect, sumOf } from '../call.ts';
import { type Reading, spentBy, tokenEffect } from '../reading.ts';

/**
 * Lamports and tokens of an account when an instruction runs. Wrapped SOL exists both as tokens and as
 * lamports of the account. Here it counts only once: as tokens, from the sync that converts it.
 */
interface AccountLamports {
  /** Lamports that are not tokens, before the transaction. */
  readonly start: bigint;
  /** Lamports received since the start, minus lamports spent. */
  readonly moved: bigint;
  /** Lamports that the account's creation in this transaction adds, if it is missing. */
  readonly created: bigint;
  /** Lamports that a sync does not convert: the rent. */
  readonly reserve: bigint;
  /** Base units of wrapped SOL; 0 for other accounts, null if the amount is unknown. */
  readonly tokens: bigint | null;
  /** Whether the account is a wrapped SOL account. */
  readonly isWrapped: boolean;
}

/**
 * Computes the balances of `role` after the effects of earlier instructions; null if the chain was not read.
 *
 * @param earlier effects of earlier instructions, in order.
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
      ? effect.account === account && effect.location === r.scene.location
      : effect.address === account,
  );
  const start = onChain - (holding?.amount ?? 0n);
  let [moved, created, isWrapped] = [0n, 0n, holding !== null];
  for (const effect of own) {
    if (effect.kind === 'lamports') moved += effect.change;
    if (effect.kind === 'tokens' && effect.isConverted === true) {
      // A conversion that adds no tokens closes the account.
      isWrapped = (effect.change ?? 0n) > 0n;
      if (!isWrapped) created = 0n;
    }
    if (effect.kind !== 'creation' || isWrapped) continue;
    // Existing lamports cover part of the rent.
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

/** Returns text to append if an account's lamports are unknown; otherwise empty. */
export const unknownLamports = (r: Reading, role: string): string =>
  lamportsOf(r, role, []) === null ? ', an unknown amount,' : '';

/** Returns the effects of closing the account in `role`; empty if the chain was not read. */
export function closingEffects(
  r: Reading,
  { role, to = 'destination' }: { readonly role: string; readonly to?: string },
  earlier: readonly Effect[],
): readonly LamportEffect[] {
  const lamports = lamportsOf(r, role, earlier);
  return lamports === null ? [] : payout(r, { role, to }, lamports, 0n);
}

/**
 * Returns the effects of closing a token account. Only wrapped SOL can remain in it, and becomes lamports
 * again. Its earlier lamports, other than wrapped SOL, count as the closing key's own.
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

/** Returns the effects of a payout. Lamports that the payer deposited count as creation and are refunded. */
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

/** Returns the effects of a sync: it wraps lamports above the rent, or all received lamports if unread. */
export function syncEffects(r: Reading, role: string, earlier: readonly Effect[]): Effect[] {
  const address = r.account(role);
  if (address === null || r.mintOf(role) !== NATIVE_MINT) return [];
  const known = lamportsOf(r, role, earlier);
  const lamports =
    known === null
      ? sumOf(
          earlier.map((effect) =>
            effect.kind === 'lamports' && effect.address === address ? effect.change : null,
          ),
        )
      : known.start + known.moved + known.created - known.reserve;
  if (lamports <= 0n) return [];
  return [
    { kind: 'lamports', address, change: -lamports },
    tokenEffect(r, role, lamports, { mint: NATIVE_MINT, isConverted: true }),
  ];
}

/**
 * Returns the rent of an associated token account for the call's `mint`, in lamports. Returns the maximum if
 * the mint was not read, and null if the cluster's rent was not read.
 */
export function ataRent(r: Reading): bigint | null {
  const mint = r.accountOf('mint');
  const extensions = mint?.owner === TOKEN_2022_PROGRAM ? decodeMintExtensions(mint.data) : null;
  return r.rent(ataBytes(r.account('tokenProgram'), extensions));
}
