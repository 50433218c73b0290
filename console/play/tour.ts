import type { ShownEata } from '../history/accounts.ts';
import type { Intent } from './intent.ts';

/** The five steps of the tour. */
export const STEPS = ['Two wallets', 'Deposit', 'Pay', 'Compare', 'Withdraw'] as const;

/** The progress of the tour in this tab. */
export interface Progress {
  /** The first two wallets: payer and payee. */
  readonly wallets: readonly [payer: string, payee: string] | null;
  readonly deposited: readonly string[];
  readonly paid: { readonly amount: bigint; readonly signature: string } | null;
  /** Whether the step that looks as anyone is complete. */
  readonly hasLooked: boolean;
  readonly hasUndelegated: boolean;
  /** The payer's settled balance on base, in base units; null before the settlement. */
  readonly settled: bigint | null;
  readonly taken: bigint | null;
}

export const NOTHING_DONE: Progress = {
  wallets: null,
  deposited: [],
  paid: null,
  hasLooked: false,
  hasUndelegated: false,
  settled: null,
  taken: null,
};

/**
 * Updates the progress with the payer's account on base. After an undelegation, its balance can be withdrawn
 * as soon as base shows it undelegated.
 *
 * @param shown null if base has no such account, or was not read.
 */
export const asShown = (progress: Progress, shown: ShownEata | null): Progress =>
  progress.hasUndelegated && shown?.isDelegated === false ? { ...progress, settled: shown.amount } : progress;

/** The next step, from 0. It is 5 when the tour is done, or when nothing is left to withdraw. */
export function stepOf(progress: Progress): number {
  const { wallets, deposited, paid, hasLooked, settled, taken } = progress;
  if (wallets === null) return 0;
  if (!wallets.every((wallet) => deposited.includes(wallet))) return 1;
  if (paid === null) return 2;
  if (!hasLooked) return 3;
  return taken === null && settled !== 0n ? 4 : 5;
}

/** The progress after a transaction of a wallet has landed. */
export function afterLanding(progress: Progress, intent: Intent, signature: string): Progress {
  const [payer] = progress.wallets ?? [];
  switch (intent.kind) {
    case 'deposit': {
      const others = progress.deposited.filter((wallet) => wallet !== intent.wallet);
      const deposited = [...others, intent.wallet];
      // The account is on the rollup again, so its settled balance is no longer ready.
      return intent.wallet === payer
        ? { ...progress, deposited, hasUndelegated: false, settled: null }
        : { ...progress, deposited };
    }
    case 'pay':
      return intent.wallet === payer && !intent.isOnBase && progress.paid === null
        ? { ...progress, paid: { amount: intent.amount, signature } }
        : progress;
    case 'undelegate':
      return intent.wallet === payer ? { ...progress, hasUndelegated: true } : progress;
    case 'withdraw':
      return intent.wallet === payer ? { ...progress, taken: intent.amount } : progress;
    case 'prepare':
    case 'handle':
      return progress;
  }
}

/** Restarts the tour with the same wallets. Only the payer, who has withdrawn everything, deposits again. */
export const onceMore = ({ wallets, deposited }: Progress): Progress => ({
  ...NOTHING_DONE,
  wallets,
  deposited: deposited.filter((wallet) => wallet !== wallets?.[0]),
});
