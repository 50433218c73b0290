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
