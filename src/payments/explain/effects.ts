import type { Address } from '../../solana/address.ts';

/** The two ledgers there are. */
export type Location = 'base' | 'ephemeral';

/** Tokens that enter or leave something. */
export interface TokenEffect {
  readonly kind: 'tokens';
  /** Whose they are; null when the bytes do not tell. */
  readonly owner: Address | null;
  /** The token account, null for what a rollup or a sealed part decides. */
  readonly account: Address | null;
  readonly mint: Address | null;
  /** Base units, negative when they leave. Null when only the chain knows how many. */
  readonly change: bigint | null;
  readonly location: Location;
  /** Set where it is not a plain balance: held in the vault, or for a recipient that is sealed. */
  readonly held?: 'vault' | 'sealed' | 'queue';
  /** Set where a rollup has to act first: running the transaction shows nothing of it. */
  readonly later?: true;
}

/** Lamports that enter or leave an account. */
export interface LamportEffect {
  readonly kind: 'lamports';
  readonly address: Address;
  readonly change: bigint;
}

/** An account that comes into being. */
export interface CreationEffect {
  readonly kind: 'creation';
  readonly address: Address;
  /** In words: "token account", "vault". */
  readonly what: string;
  readonly payer: Address;
  /** Lamports it holds from then on. */
  readonly lamports: bigint;
  /** Whether nothing happens, and nothing is paid, when it is there already. */
  readonly onlyIfMissing: boolean;
}

export type Effect = TokenEffect | LamportEffect | CreationEffect;

/** What all instructions do together. */
export interface EffectTotals {
  /** One for each owner, mint and place. */
  readonly tokens: readonly TokenEffect[];
  readonly lamports: readonly Omit<LamportEffect, 'kind'>[];
  readonly creations: readonly CreationEffect[];
}

/** Sums effects by owner (or account, where the owner is not known), mint and place, and lamports by account. */
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
  // What the chain alone knows must not disappear in a sum.
  const key = [holder, effect.mint, effect.location, effect.held, effect.change === null].join(' ');
  const known = totals.get(key);
  if (known === undefined) {
    totals.set(key, effect);
    return;
  }
  const change = known.change === null || effect.change === null ? null : known.change + effect.change;
  // Two accounts of one owner: the sum belongs to neither.
  const account = known.account === effect.account ? known.account : null;
  totals.set(key, { ...known, account, change });
}
