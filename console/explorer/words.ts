import type { DeedKind } from '../history/deed.ts';
import { capitalized } from '../parts/short-text.ts';

const WORDS: Readonly<Record<DeedKind, string>> = {
  airdrop: 'airdrop',
  deposit: 'deposit',
  undelegation: 'asked for back',
  settlement: 'settled',
  withdrawal: 'taken out',
  payment: 'transfer',
  other: 'other',
};

const TITLES: Partial<typeof WORDS> = { withdrawal: 'Withdrawal', other: 'Transaction' };

/** What a transaction did, in a word of lists. */
export const wordOf = (kind: DeedKind): string => WORDS[kind];

/** The same at the head of its page; "of 3.5 USDC" may follow. */
export const titleOf = (kind: DeedKind): string => TITLES[kind] ?? capitalized(WORDS[kind]);
