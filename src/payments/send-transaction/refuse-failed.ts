import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { describeSimulationError } from '../simulation/simulation-error.ts';
import { programsOf } from '../simulation/with-simulation.ts';
import type { Outcome } from './confirmation.ts';

/**
 * Refuses the outcome of a transaction that has landed and failed.
 *
 * @throws {ServiceError} TRANSACTION_FAILED.
 */
export function refuseFailed(
  chain: Chain,
  transaction: Transaction,
  signature: string,
  outcome: Outcome,
): void {
  if (outcome.kind !== 'landed' || outcome.status.err === null) return;
  const { message } = describeSimulationError({
    err: outcome.status.err,
    logs: [],
    programs: programsOf(transaction),
    layout: chain.layout,
  });
  throw new ServiceError(
    'TRANSACTION_FAILED',
    `The transaction ${signature} has landed in slot ${outcome.status.slot} and failed; only its fee was charged. ${message}`,
    { signature, slot: outcome.status.slot, reason: message },
  );
}
