import type { Deed } from '../history/deed.ts';
import { ownedDeed, type WalletAccounts } from '../history/wallet-deeds.ts';
import { readDeeds } from '../history/read-deeds.ts';
import type { Viewpoint } from '../parts/reader.ts';
import type { Readers } from '../readers/readers.ts';

/** Transactions of the wallets of this tab, as one viewpoint sees them. */
export interface Happenings {
  readonly deeds: readonly Deed[];
  /** How many transactions the rollup says it has in all; null if it is not asked, or does not say. */
  readonly rollupCount: number | null;
  /** Wallets of which base has more than was read: nothing follows of a part. */
  readonly cut: readonly string[];
  /** What could not be read; null if all was. */
  readonly fault: string | null;
}

/** Reads base as everyone does, and the rollup as the viewpoint does. */
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

/** Ledger times are whole seconds. Within a second, steps are ordered by what must come first. */
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
