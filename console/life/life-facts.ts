import { type WalletAccounts, workOut, type WorkedOut } from '../history/wallet-deeds.ts';
import { readDeeds } from '../history/read-deeds.ts';
import { eataOf, type AccountValue } from '../history/accounts.ts';
import type { Viewpoint } from '../parts/reader.ts';
import type { Readers } from '../readers/readers.ts';
import { cycleOf, type Cycle } from './cycle.ts';
import { askStatus, statusIn, type LandedStatus } from './step-words.ts';

/** The life of a payment for one viewpoint. */
export interface LifeFacts {
  readonly cycle: Cycle;
  /** Totals from base; null if they show nothing, or base could not be read. */
  readonly worked: WorkedOut | null;
  /** Whether base has more transactions than were read. There are no totals then. */
  readonly isCut: boolean;
  /** The status that anyone who knows the signature can see; null without one. */
  readonly status: LandedStatus | null;
  /** The first error; null if everything was read. */
  readonly fault: string | null;
}

/** Maximum base transactions that are added up: one batch. */
export const ADDED_UP_MAX = 100;

/**
 * Reads the life of a payment. Only the owner reads the rollup; base is public.
 *
 * @param signature of the payment; null for the last one.
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

/** Reads the status that anyone who knows the signature can see. */
export const readStatus = async (readers: Readers, signature: string): Promise<LandedStatus | null> =>
  statusIn(await askStatus(readers.anyone, signature));

/** Finds the wallet of this tab that made a payment; null if none did. */
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
