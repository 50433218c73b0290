import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { systemClock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { systemTimer } from '../ports/timer.ts';
import { PaymentFollower, type SettlementLedger } from '../settlement/payment-follower.ts';
import type { Payment, PaymentStore } from '../settlement/payment-store.ts';

/** Opens the follower of stored payments. It uses real time, because a localnet's clock may stand still. */
export const openPaymentFollower = (
  payments: PaymentStore,
  clusters: Clusters,
  logger: Logger,
): PaymentFollower =>
  new PaymentFollower({
    payments,
    ledgerOf: (payment) => ledgerOf(clusters, payment),
    clock: systemClock,
    timer: systemTimer,
    logger,
  });

function ledgerOf(
  clusters: Clusters,
  { cluster, ledger }: Pick<Payment, 'cluster' | 'ledger'>,
): SettlementLedger {
  const chain = clusters.resolve(cluster);
  if (ledger === 'base') return chain;
  if (chain.rollup !== null) return chain.rollup;
  throw new ServiceError(
    'CLUSTER_NOT_ALLOWED',
    `cluster ${cluster} has no rollup on this service; ask the operator to configure it`,
  );
}
