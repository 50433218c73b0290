import type { Unreadiness } from '../http/probes.ts';

/** What takes transactions, or has stopped to. */
interface Taker {
  readonly isRunning: boolean;
}

/** Why requests to a ledger should go elsewhere, or to a rollup on top of it, which can do nothing without it. */
export function unreadinessOf(ledger: Taker, rollup: Taker = ledger): Unreadiness {
  if (!ledger.isRunning) return 'the ledger takes no transactions';
  return rollup.isRunning ? undefined : 'the rollup takes no transactions';
}
