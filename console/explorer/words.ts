import type { DeedKind } from '../history/deed.ts';

const WORDS: Readonly<Record<DeedKind, readonly [string, string]>> = {
  airdrop: ['airdrop', 'Airdrop'],
  deposit: ['deposit', 'Deposit'],
  undelegation: ['asked for back', 'Asked for back'],
  settlement: ['settled', 'Settled'],
  withdrawal: ['taken out', 'Withdrawal'],
  payment: ['transfer', 'Transfer'],
  other: ['other', 'Transaction'],
};

/** What a transaction did, in a word of lists. */
export const wordOf = (kind: DeedKind): string => WORDS[kind][0];

/** The same at the head of its page; "of 3.5 USDC" may follow. */
export const titleOf = (kind: DeedKind): string => WORDS[kind][1];
