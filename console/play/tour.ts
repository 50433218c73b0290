import type { ShownEata } from '../history/accounts.ts';
import type { Intent } from './intent.ts';

/** The five steps of the tour. */
export const STEPS = ['Two wallets', 'Deposit', 'Pay', 'Compare', 'Withdraw'] as const;

/** What has been done in this tab, as far as the tour goes. */
export interface Progress {
  /** The first two wallets: who pays, and who is paid. */
  readonly wallets: readonly [payer: string, payee: string] | null;
  readonly deposited: readonly string[];
  readonly paid: { readonly amount: bigint; readonly signature: string } | null;
  /** Whether someone has gone on from looking as anyone. */
  readonly hasLooked: boolean;
  readonly hasUndelegated: boolean;
  /** What base shows of the payer since the settlement, base units; null before it. */
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
 * The progress with what base shows of the payer's account now: where it was asked back and is there, that is
 * what can be taken out, whoever saw it come.
 *
 * @param shown null if base has no such account, or was not read.
 */
export const asShown = (progress: Progress, shown: ShownEata | null): Progress =>
  progress.hasUndelegated && shown?.isDelegated === false ? { ...progress, settled: shown.amount } : progress;

/** The step that is next, from 0; 5 when all are done: also where everything was paid, and nothing came back. */
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
      // It is on the rollup again: what was settled before is no longer ready.
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

/** The tour from its beginning with the same wallets: who has nothing in the vault deposits again. */
export const onceMore = ({ wallets, deposited }: Progress): Progress => ({
  ...NOTHING_DONE,
  wallets,
  deposited: deposited.filter((wallet) => wallet !== wallets?.[0]),
});
