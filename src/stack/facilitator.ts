import { hkdfSync } from 'node:crypto';
import type { Clusters } from '../chain/clusters.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Facilitator } from '../facilitator/facilitator.ts';
import { FACILITATOR_PATHS } from '../facilitator/openapi-paths.ts';
import { Challenges } from '../facilitator/paid/challenges.ts';
import { readPrices } from '../facilitator/paid/prices.ts';
import { createTill } from '../facilitator/paid/till.ts';
import type { PaymentFollower } from '../settlement/payment-follower.ts';
import { createFacilitatorRoutes, FACILITATOR_CALLS } from '../facilitator/routes.ts';
import { Settlement } from '../facilitator/settlement.ts';
import { createVerifier } from '../facilitator/verify.ts';
import { addFacilitatorMetrics, type FacilitatorFigures } from '../metrics/facilitator-metrics.ts';
import type { Registry } from '../metrics/registry.ts';
import { SpendingGuard } from '../policy/spending-guard.ts';
import { systemClock } from '../ports/clock.ts';
import { systemTimer } from '../ports/timer.ts';
import { toolName } from '../service/mcp/tools.ts';
import type { Till } from '../service/paid/till.ts';
import { REST_TABLE } from '../service/rest/rest-table.ts';
import type { ServiceExtension } from '../service/service-handler.ts';
import { createFacilitatorKey, type FacilitatorKey } from '../signing/facilitator-key.ts';
import { createFacilitatorReader, type FacilitatorReader } from './facilitator-figures.ts';
import type { Ports } from './node.ts';
import type { SharedState } from './shared-state.ts';
import { openSpendingPolicy } from './spending-policy.ts';

interface FacilitatorOptions {
  readonly config: Pick<
    Config,
    'facilitatorSecretKey' | 'facilitatorSolPerHour' | 'prices' | 'publicUrl' | 'spendingPolicy'
  >;
  readonly clusters: Clusters;
  readonly ports: Pick<Ports, 'logger' | 'random'>;
  readonly shared: Pick<SharedState, 'payments' | 'facilitatorBudget' | 'facilitatorTables'>;
  /** Follows the payments. The caller starts and stops it. */
  readonly follower: PaymentFollower;
  readonly registry: Registry;
}

/** The facilitator's routes, and the till of the tools with a price. */
interface OpenedFacilitator extends ServiceExtension {
  /** Null if all tools are free. */
  readonly till: Till | null;
  /** Reads the figures that the console shows. */
  readonly read: FacilitatorReader;
}

/**
 * Opens the facilitator for x402 payments; null without a key.
 *
 * @throws {ServiceError} CONFIG_INVALID if the key, a price or the spending policy is invalid.
 */
export function openFacilitator(options: FacilitatorOptions): OpenedFacilitator | null {
  const { config, clusters, ports, shared, follower, registry } = options;
  const key = openFacilitatorKey(config);
  if (key === null) return null;
  const { payments, facilitatorBudget: budget, facilitatorTables: tables } = shared;
  const policy = openSpendingPolicy(config);
  const lamportsPerHour = config.facilitatorSolPerHour;
  // Real time, because the clock of a localnet may stand still.
  const clock = systemClock;
  const settlement = new Settlement({
    follower,
    budget,
    lamportsPerHour,
    signer: key,
    policy: policy && tables && new SpendingGuard(policy, tables, clock),
    clock,
    logger: ports.logger,
  });
  const feePayer = key.address;
  const verifier = createVerifier({ clusters, feePayer, clock, logger: ports.logger });
  const figures: FacilitatorFigures = {
    counts: () => follower.counts,
    pending: () => payments.pendingCount(),
    budget: async () => ({ spent: await budget.spent(), limit: lamportsPerHour }),
  };
  addFacilitatorMetrics(registry, figures);
  const facilitator = new Facilitator({ verifier, settlement, feePayer, clock });
  const till = openTill(options, facilitator, key);
  return {
    till,
    read: createFacilitatorReader({ clusters, feePayer, figures }, systemTimer),
    calls: FACILITATOR_CALLS,
    routes: createFacilitatorRoutes(facilitator),
    paths: FACILITATOR_PATHS,
  };
}

/** Opens the till of the tools with a price; null if all are free. */
function openTill(
  { config, clusters, ports }: FacilitatorOptions,
  facilitator: Facilitator,
  { address: feePayer, signJws }: FacilitatorKey,
): Till | null {
  const prices = openPrices(config);
  const key = config.facilitatorSecretKey?.reveal();
  if (prices === null || key === undefined) return null;
  // All replicas have the facilitator's key, so each recognizes the challenges of the others.
  const secret = new Uint8Array(hkdfSync('sha256', key, '', 'challenges of MPP', 32));
  const realm = config.publicUrl === null ? 'localhost' : new URL(config.publicUrl).host;
  return createTill({
    facilitator,
    prices,
    clusters,
    challenges: new Challenges(secret, realm),
    feePayer,
    signJws,
    clock: systemClock,
    random: ports.random,
  });
}

/**
 * Reads the prices of tools; null if all are free.
 *
 * @throws {ServiceError} CONFIG_INVALID if a price is invalid, or there is no facilitator.
 */
export function openPrices({
  prices,
  facilitatorSecretKey,
}: Pick<Config, 'prices' | 'facilitatorSecretKey'>) {
  if (prices === null) return null;
  if (facilitatorSecretKey === null) {
    throw new ServiceError(
      'CONFIG_INVALID',
      'PRICES needs a facilitator to settle payments: set FACILITATOR_SECRET_KEY or FACILITATOR_SECRET_KEY_FILE',
    );
  }
  return readPrices(prices, PRICED_TOOLS);
}

/** Tools that can have a price. Logins are free, because others need them. */
const PRICED_TOOLS = Object.keys(REST_TABLE)
  .map((name) => toolName({ name }))
  .filter((name) => name !== 'spl.challenge' && name !== 'spl.login');

/**
 * Opens the facilitator's key; null without one.
 *
 * @throws {ServiceError} CONFIG_INVALID if the key is invalid.
 */
export function openFacilitatorKey({ facilitatorSecretKey }: Pick<Config, 'facilitatorSecretKey'>) {
  if (facilitatorSecretKey === null) return null;
  return createFacilitatorKey(facilitatorSecretKey.reveal(), 'FACILITATOR_SECRET_KEY');
}
