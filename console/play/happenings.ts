import type { Deed } from '../history/deed.ts';
import { ownedDeed, type WalletAccounts } from '../history/wallet-deeds.ts';
import { readDeeds } from '../history/read-deeds.ts';
import type { Viewpoint } from '../parts/reader.ts';
import type { Readers } from '../readers/readers.ts';

/** The transactions of this tab's wallets that one viewpoint sees. */
export interface Happenings {
  readonly deeds: readonly Deed[];
  /** Total number of transactions on the rollup; null if unknown. */
  readonly rollupCount: number | null;
  /** Wallets with more base transactions than were read. Their totals are unknown. */
  readonly cut: readonly string[];
  /** The first error; null if everything was read. */
  readonly fault: string | null;
}

/** Reads base without a token, and the rollup only as the owner. */
export async function readHappenings(
  readers: Readers,
  as: Viewpoint,
  accounts: readonly WalletAccounts[],
): Promise<Happenings> {
  const [base, count, ...owned] = await Promise.all([
    readDeeds(
      readers.base,
      accounts.flatMap(({ ata, eata, wallet }) => [ata, eata, wallet]),
    ),
    as === 'base' ? null : readers.anyone.call<number>('getTransactionCount'),
    ...(as === 'owner' ? accounts : []).map(async ({ wallet, ata }) => {
      const reader = readers.owner(wallet);
      return reader === null ? null : await readDeeds(reader, [ata]);
    }),
  ]);
  const all = [base, ...owned].filter((each) => each !== null);
  const failed = all.find((each) => each.kind === 'failed');
  const known = new Map<string, Deed>();
  for (const each of all) {
    if (each.kind === 'read')
      for (const deed of each.deeds) known.set(`${deed.ledger} ${deed.signature}`, ownedDeed(deed, accounts));
  }
  return {
    deeds: [...known.values()].sort(newestFirst),
    rollupCount: count?.kind === 'value' ? count.value : null,
    cut:
      base.kind === 'read'
        ? accounts.filter(({ eata }) => base.cut.includes(eata)).map(({ wallet }) => wallet)
        : [],
    fault: failed?.kind === 'failed' ? failed.message : null,
  };
}

/** Orders by time. Within the same second, the logical order of the steps decides. */
const newestFirst = (one: Deed, other: Deed): number =>
  (other.time ?? 0) - (one.time ?? 0) ||
  (one.ledger === other.ledger ? other.slot - one.slot : RANK[other.kind] - RANK[one.kind]);

const RANK: Readonly<Record<Deed['kind'], number>> = {
  airdrop: 0,
  deposit: 1,
  payment: 2,
  undelegation: 3,
  settlement: 4,
  withdrawal: 5,
  other: 2,
};
