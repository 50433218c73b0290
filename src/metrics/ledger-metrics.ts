import { isServiceError } from '../errors/service-error.ts';
import type { NodePrefix, Registry, Sample } from './registry.ts';

/** The figures of a ledger. */
export interface LedgerFigures {
  head(): { readonly slot: number };
  accountCount(): number;
  accountsBytes(): number;
  /** Limit of `accountsBytes`. */
  readonly accountsBytesMax: number;
  transactionCount(): number;
  /** Returns the size on disk, in bytes. */
  storeBytes(): number;
}

/** Adds the metrics of an embedded ledger. */
export function addLedgerMetrics(registry: Registry, prefix: NodePrefix, ledger: LedgerFigures): void {
  registry.gauge(`${prefix}_slot`, 'Slot of the newest block.', () =>
    currentSample(() => ledger.head().slot),
  );
  registry.gauge(`${prefix}_accounts`, 'Number of accounts on the ledger.', () =>
    currentSample(() => ledger.accountCount()),
  );
  registry.gauge(`${prefix}_accounts_bytes`, 'Bytes of account data on the ledger.', () =>
    currentSample(() => ledger.accountsBytes()),
  );
  registry.gauge(
    `${prefix}_accounts_bytes_max`,
    'Limit on bytes of account data (LEDGER_ACCOUNTS_BYTES_MAX).',
    () => ledger.accountsBytesMax,
  );
  registry.counter(
    `${prefix}_transactions_total`,
    'Transactions that landed since the ledger was created.',
    () => ledger.transactionCount(),
  );
  registry.gauge(`${prefix}_database_bytes`, 'Bytes of the database on disk.', () => ledger.storeBytes());
}

/** Returns the current value, or no sample if the ledger stopped after a failed write. */
function currentSample(read: () => number): readonly Sample[] {
  try {
    return [[{}, read()]];
  } catch (error) {
    if (isServiceError(error, 'LEDGER_STOPPED')) return [];
    throw error;
  }
}

interface PubsubFigures {
  readonly connections: number;
  readonly subscriptions: number;
}

/** Adds the metrics of a WebSocket server. */
export function addPubsubMetrics(registry: Registry, prefix: NodePrefix, pubsub: PubsubFigures): void {
  registry.gauge(`${prefix}_websocket_connections`, 'Open WebSocket connections.', () => pubsub.connections);
  registry.gauge(
    `${prefix}_websocket_subscriptions`,
    'Subscriptions of all WebSocket connections.',
    () => pubsub.subscriptions,
  );
}

/** Adds the metrics of a WebSocket server that forwards subscriptions. */
export function addUpstreamPubsubMetrics(
  registry: Registry,
  prefix: NodePrefix,
  pubsub: { readonly upstreamSubscriptions: number },
): void {
  registry.gauge(
    `${prefix}_upstream_subscriptions`,
    'Subscriptions to the upstream, each shared by all clients with the same one.',
    () => pubsub.upstreamSubscriptions,
  );
}

interface SettlementFigures {
  /** Accepted undelegations, payments and callbacks that are not finished yet. */
  readonly pending: number;
  /** Pending items that failed and will be retried. */
  readonly stalled: number;
  /** Mints whose settlement is stopped because their books disagree. */
  readonly halted: readonly unknown[];
  /** Payments that may have been executed, so they are not sent again. */
  readonly held: readonly unknown[];
}

/** Adds the metrics of settlement. */
export function addSettlementMetrics(registry: Registry, settlement: () => SettlementFigures): void {
  registry.gauge(
    'rollup_settlements_pending',
    'Accepted undelegations, payments and callbacks that are not done yet.',
    () => currentSample(() => settlement().pending),
  );
  registry.gauge('rollup_settlements_stalled', 'Pending settlements that failed and will be retried.', () =>
    currentSample(() => settlement().stalled),
  );
  registry.gauge(
    'rollup_mints_halted',
    'Mints whose settlement is halted because their accounts on base are inconsistent.',
    () => currentSample(() => settlement().halted.length),
  );
  registry.gauge(
    'rollup_intents_held',
    'Payments that are not sent again, because the history of the base ledger no longer shows whether they were made.',
    () => currentSample(() => settlement().held.length),
  );
}

interface SponsorFigures {
  readonly spent: bigint;
  readonly limit: bigint;
}

/**
 * Adds the gasless transfer sponsor's spending in the last hour, and its limit. Scrapes omit both while the
 * budget cannot be read.
 */
export function addSponsorMetrics(registry: Registry, figures: () => Promise<SponsorFigures>): void {
  registry.gauge(
    'sponsor_budget_lamports',
    'Lamports that the sponsor of gasless transfers spent in the last hour, and its limit.',
    () =>
      figures().then(
        ({ spent, limit }): Sample[] => [
          [{ part: 'spent' }, Number(spent)],
          [{ part: 'limit' }, Number(limit)],
        ],
        () => [],
      ),
  );
}
