import type { ShownEata } from './accounts.ts';
import type { Deed } from './deed.ts';

/** A wallet and its accounts of one mint. The ATA has one address on both ledgers. */
export interface WalletAccounts {
  readonly wallet: string;
  readonly ata: string;
  readonly eata: string;
}

/** The same deed with wallets in place of those of their accounts that are known. */
export function ownedDeed(deed: Deed, accounts: readonly WalletAccounts[]): Deed {
  const owner = (address: string | null): string | null =>
    accounts.find(({ ata, eata }) => address === ata || address === eata)?.wallet ?? address;
  return { ...deed, from: owner(deed.from), to: owner(deed.to) };
}

/** What follows of base alone: what someone put in, and what came back. Base units. */
export interface WorkedOut {
  readonly putIn: bigint;
  readonly tookOut: bigint;
}

/**
 * Adds up what base shows of a wallet to everyone.
 *
 * @param deeds of base.
 * @param eata as base shows it now; null if there is none.
 * @returns null as long as nothing came back, and as long as more may: what is on the rollup, or is ready to be
 *   taken out, was not paid to anyone.
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
