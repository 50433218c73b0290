import type { Address } from '../../solana/address.ts';
import type { Location } from '../building/built-transaction.ts';

/** Tokens that enter or leave something. */
export interface TokenEffect {
  readonly kind: 'tokens';
  /** The owner; null if the bytes do not show it. */
  readonly owner: Address | null;
  /** The token account; null if a rollup or a sealed part determines it. */
  readonly account: Address | null;
  readonly mint: Address | null;
  /** Base units, negative if they leave. Null if only the chain knows the amount. */
  readonly change: bigint | null;
  readonly location: Location;
  /**
   * Set for tokens that are not a plain balance: in the vault, for a sealed recipient, to be paid by a queue,
   * or in an eATA that stays on base.
   */
  readonly held?: 'vault' | 'sealed' | 'queue' | 'eata';
  /** Set if a rollup has to act first. A simulation then shows nothing of it. */
  readonly later?: true;
  /** Set for wrapped SOL that lamports of the same account become, or that becomes lamports. */
  readonly isConverted?: true;
}

/** Lamports that enter or leave an account. */
export interface LamportEffect {
  readonly kind: 'lamports';
  readonly address: Address;
  readonly change: bigint;
  /** The part that leaves on the signature of another key, and counts as that key's own. */
  readonly spent?: { readonly by: Address; readonly lamports: bigint };
}

/** An account that is created. */
export interface CreationEffect {
  readonly kind: 'creation';
  readonly address: Address;
  /** Its name in sentences: "token account", "vault". */
  readonly what: string;
  readonly payer: Address;
  /** Its initial lamports; null if the cluster's rent is not known. */
  readonly lamports: bigint | null;
  /** Whether an existing account is left alone at no cost. */
  readonly onlyIfMissing: boolean;
}

export type Effect = TokenEffect | LamportEffect | CreationEffect;

/** The effects of all instructions together. */
export interface EffectTotals {
  /** One per owner, mint and place. */
  readonly tokens: readonly TokenEffect[];
  readonly lamports: readonly Pick<LamportEffect, 'address' | 'change'>[];
  readonly creations: readonly CreationEffect[];
}

/**
 * Sums token effects by owner (or account, if the owner is unknown), mint and place, and lamports by account.
 */
export function totalEffects(effects: readonly Effect[]): EffectTotals {
  const tokens = new Map<string, TokenEffect>();
  const lamports = new Map<Address, bigint>();
  const creations = new Map<Address, CreationEffect>();
  for (const effect of effects) {
    if (effect.kind === 'tokens') addTokens(tokens, effect);
    else if (effect.kind === 'creation') {
      if (!creations.has(effect.address)) creations.set(effect.address, effect);
    } else lamports.set(effect.address, (lamports.get(effect.address) ?? 0n) + effect.change);
  }
  return {
    tokens: [...tokens.values()].filter(({ change }) => change !== 0n),
    lamports: [...lamports].map(([address, change]) => ({ address, change })).filter((l) => l.change !== 0n),
    creations: [...creations.values()],
  };
}

function addTokens(totals: Map<string, TokenEffect>, effect: TokenEffect): void {
  const holder = effect.owner ?? effect.account ?? 'unknown';
  // Amounts that only the chain knows must not vanish in a sum.
  const key = [holder, effect.mint, effect.location, effect.held, effect.change === null].join(' ');
  const known = totals.get(key);
  if (known === undefined) {
    totals.set(key, effect);
    return;
  }
  const change = known.change === null || effect.change === null ? null : known.change + effect.change;
  // The sum over two accounts of one owner belongs to neither account.
  const account = known.account === effect.account ? known.account : null;
  totals.set(key, { ...known, account, change });
}
