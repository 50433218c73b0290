import type { Unreadiness } from '../http/probes.ts';

/** Something that accepts transactions, or has stopped. */
interface Taker {
  readonly isRunning: boolean;
  /** Intents that wait for an operator; none when left out. */
  readonly heldIntents?: readonly bigint[];
}

/** Why a ledger is not ready, or a rollup on top of it, which needs its base ledger. */
export function unreadinessOf(ledger: Taker, rollup: Taker = ledger): Unreadiness {
  if (!ledger.isRunning) return 'the ledger takes no transactions';
  if (!rollup.isRunning) return 'the rollup takes no transactions';
  // Its number would tell anybody how many payments there were; the log names it.
  const holds = (rollup.heldIntents ?? []).length > 0;
  return holds ? 'the rollup holds a payment that may have been made' : undefined;
}
