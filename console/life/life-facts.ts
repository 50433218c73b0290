import { type WalletAccounts, workOut, type WorkedOut } from '../history/wallet-deeds.ts';
import { readDeeds } from '../history/read-deeds.ts';
import { eataOf, type AccountValue } from '../history/accounts.ts';
import type { Viewpoint } from '../parts/reader.ts';
import type { Readers } from '../readers/readers.ts';
import { cycleOf, type Cycle } from './cycle.ts';
import { askStatus, statusIn, type LandedStatus } from './step-words.ts';

/** The life of a payment as one viewpoint sees it. */
export interface LifeFacts {
  readonly cycle: Cycle;
  /** What follows of base alone; null if nothing does, or base could not be read. */
  readonly worked: WorkedOut | null;
  /** Whether base has more of this account than is read here: sums of a part say nothing. */
  readonly isCut: boolean;
  /** What anyone who knows the exact signature can see; null without a signature. */
  readonly status: LandedStatus | null;
  /** What could not be read; null if all was. */
  readonly fault: string | null;
}

/** Transactions of base that are added up: as many as one batch has. */
export const ADDED_UP_MAX = 100;

/**
 * Reads a life: base as everyone does, and the rollup as the viewpoint does.
 *
 * @param signature of the payment; null for the last.
 */
export async function readLife(
  readers: Readers,
  as: Viewpoint,
  { wallet, ata, eata }: WalletAccounts,
  signature: string | null,
): Promise<LifeFacts> {
  const owner = as === 'owner' ? readers.owner(wallet) : null;
  const [base, shown, rollup, status] = await Promise.all([
    readDeeds(readers.base, [eata], eata, ADDED_UP_MAX),
    readers.base.call<AccountValue>('getAccountInfo', [eata, { encoding: 'base64' }]),
    owner === null ? null : readDeeds(owner, [ata]),
    signature === null || as === 'base' ? null : readStatus(readers, signature),
  ]);
  const onBase = base.kind === 'read' ? base.deeds : [];
  const onRollup = rollup?.kind === 'read' ? rollup.deeds : [];
  const isCut = base.kind === 'read' && base.cut.length > 0;
  const failed = [base, shown, rollup].find((each) => each?.kind === 'failed');
  return {
    cycle: cycleOf(onBase, onRollup, signature),
    worked:
      base.kind === 'failed' || shown.kind === 'failed' || isCut
        ? null
        : workOut(base.deeds, wallet, eataOf(shown.value, shown.wire.slot)),
    isCut,
    status,
    fault: failed?.kind === 'failed' ? failed.message : null,
  };
}

/** Reads what anyone who knows the exact signature can see. */
export const readStatus = async (readers: Readers, signature: string): Promise<LandedStatus | null> =>
  statusIn(await askStatus(readers.anyone, signature));

/** The wallet that made a payment, of those that this tab can read as; null if none did. */
export async function findPayer(
  readers: Readers,
  wallets: readonly WalletAccounts[],
  signature: string,
): Promise<WalletAccounts | null> {
  for (const each of wallets) {
    const owner = readers.owner(each.wallet);
    if (owner === null) continue;
    const read = await readDeeds(owner, [each.ata]);
    if (
      read.kind === 'read' &&
      read.deeds.some((deed) => deed.signature === signature && deed.from === each.ata)
    ) {
      return each;
    }
  }
  return null;
}
