import type { ShownEata } from './accounts.ts';
import type { Deed } from './deed.ts';

/** A wallet and its accounts of one mint. The ATA has one address on both ledgers. */
export interface WalletAccounts {
  readonly wallet: string;
  readonly ata: string;
  readonly eata: string;
}

/** Replaces known token accounts in a deed with their wallets. */
export function ownedDeed(deed: Deed, accounts: readonly WalletAccounts[]): Deed {
  const owner = (address: string | null): string | null =>
    accounts.find(({ ata, eata }) => address === ata || address === eata)?.wallet ?? address;
  return { ...deed, from: owner(deed.from), to: owner(deed.to) };
}

/** A wallet's total deposits and withdrawals on base, in base units. */
export interface WorkedOut {
  readonly putIn: bigint;
  readonly tookOut: bigint;
}

/**
 * Adds up the deposits and withdrawals of a wallet, which everyone can see on base.
 *
 * @param deeds transactions of base.
 * @param eata the current eATA on base; null if there is none.
 * @returns null before the first withdrawal, and while tokens are on the rollup or ready to withdraw: they
 *   were not paid to anyone.
 */
export function workOut(deeds: readonly Deed[], wallet: string, eata: ShownEata | null): WorkedOut | null {
  if (eata !== null && (eata.isDelegated || eata.amount > 0n)) return null;
  const sum = (kind: Deed['kind']): bigint =>
    deeds
      .filter(
        (deed) => deed.ledger === 'base' && deed.kind === kind && deed.feePayer === wallet && !deed.hasFailed,
      )
      .reduce((total, { amount }) => total + (amount ?? 0n), 0n);
  const worked = { putIn: sum('deposit'), tookOut: sum('withdrawal') };
  return worked.tookOut === 0n ? null : worked;
}
