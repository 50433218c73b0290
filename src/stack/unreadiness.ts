import type { Unreadiness } from '../http/probes.ts';

/** Something that accepts transactions, or has stopped. */
interface Taker {
  readonly isRunning: boolean;
}

/** Why a ledger is not ready, or a rollup on top of it, which needs its base ledger. */
export function unreadinessOf(ledger: Taker, rollup: Taker = ledger): Unreadiness {
  if (!ledger.isRunning) return 'the ledger takes no transactions';
  return rollup.isRunning ? undefined : 'the rollup takes no transactions';
}
