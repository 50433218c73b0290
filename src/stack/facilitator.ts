import type { Clusters } from '../chain/clusters.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Facilitator } from '../facilitator/facilitator.ts';
import { FACILITATOR_PATHS } from '../facilitator/openapi-paths.ts';
import type { Payment } from '../facilitator/payment-store.ts';
import { createFacilitatorRoutes, FACILITATOR_CALLS } from '../facilitator/routes.ts';
import { Settlement, type SettlementLedger } from '../facilitator/settlement.ts';
import { createVerifier } from '../facilitator/verify.ts';
import { addFacilitatorMetrics } from '../metrics/facilitator-metrics.ts';
import type { Registry } from '../metrics/registry.ts';
import { systemClock } from '../ports/clock.ts';
import { systemTimer } from '../ports/timer.ts';
import type { ServiceExtension } from '../service/service-handler.ts';
import { createFacilitatorKey } from '../signing/facilitator-key.ts';
import type { Ports, Resource } from './node.ts';
import type { SharedState } from './shared-state.ts';

interface FacilitatorOptions {
  readonly config: Pick<Config, 'facilitatorSecretKey' | 'facilitatorSolPerHour'>;
  readonly clusters: Clusters;
  readonly ports: Pick<Ports, 'logger'>;
  readonly shared: Pick<SharedState, 'payments' | 'facilitatorBudget'>;
  readonly registry: Registry;
}

/**
 * Opens the facilitator of x402 payments and starts its reconciler; null without a key.
 *
 * @throws {ServiceError} CONFIG_INVALID if the key is invalid.
 */
export function openFacilitator(options: FacilitatorOptions): (ServiceExtension & Resource) | null {
  const { config, clusters, ports, shared, registry } = options;
  const key = openFacilitatorKey(config);
  if (key === null) return null;
  const { payments, facilitatorBudget: budget } = shared;
  const lamportsPerHour = config.facilitatorSolPerHour;
  // Real time, because the clock of a localnet may stand still.
  const clock = systemClock;
  const settlement = new Settlement({
    payments,
    budget,
    lamportsPerHour,
    signer: key,
    ledgerOf: (payment) => ledgerOf(clusters, payment),
    clock,
    timer: systemTimer,
    logger: ports.logger,
  });
  const feePayer = key.address;
  const verifier = createVerifier({ clusters, feePayer, clock, logger: ports.logger });
  addFacilitatorMetrics(registry, {
    counts: () => settlement.counts,
    pending: () => payments.pendingCount(),
    budget: async () => ({ spent: await budget.spent(), limit: lamportsPerHour }),
  });
  settlement.start();
  return {
    calls: FACILITATOR_CALLS,
    routes: createFacilitatorRoutes(new Facilitator({ verifier, settlement, feePayer })),
    paths: FACILITATOR_PATHS,
    close: () => settlement.close(),
  };
}

/**
 * Opens the facilitator's key; null without one.
 *
 * @throws {ServiceError} CONFIG_INVALID if the key is invalid.
 */
export function openFacilitatorKey({ facilitatorSecretKey }: Pick<Config, 'facilitatorSecretKey'>) {
  if (facilitatorSecretKey === null) return null;
  return createFacilitatorKey(facilitatorSecretKey.reveal(), 'FACILITATOR_SECRET_KEY');
}

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
