import { isServiceError } from '../errors/service-error.ts';
import type { NodePrefix, Registry, Sample } from './registry.ts';

/** What of a ledger is shown. */
export interface LedgerFigures {
  head(): { readonly slot: number };
  accountCount(): number;
  /** Bytes of data of the accounts that are its own. */
  accountsBytes(): number;
  /** Bytes of data they may have together. */
  readonly accountsBytesMax: number;
  transactionCount(): number;
  /** Its size on disk. */
  storeBytes(): number;
}

/** Adds what an embedded ledger is and holds. */
export function addLedgerMetrics(registry: Registry, prefix: NodePrefix, ledger: LedgerFigures): void {
  registry.gauge(`${prefix}_slot`, 'Slot of the newest block.', () => ofThePresent(() => ledger.head().slot));
  registry.gauge(`${prefix}_accounts`, 'Accounts of the ledger.', () =>
    ofThePresent(() => ledger.accountCount()),
  );
  registry.gauge(`${prefix}_accounts_bytes`, 'Bytes of account data stored here.', () =>
    ofThePresent(() => ledger.accountsBytes()),
  );
  registry.gauge(
    `${prefix}_accounts_bytes_max`,
    'Limit on bytes of account data (LEDGER_ACCOUNTS_BYTES_MAX).',
    () => ledger.accountsBytesMax,
  );
  registry.counter(
    `${prefix}_transactions_total`,
    'Transactions that landed since the ledger was made.',
    () => ledger.transactionCount(),
  );
  registry.gauge(`${prefix}_database_bytes`, 'Bytes of the database on disk.', () => ledger.storeBytes());
}

/** A figure that a ledger which could not be written does not tell any more: it has no sample then. */
function ofThePresent(read: () => number): readonly Sample[] {
  try {
    return [[{}, read()]];
  } catch (error) {
    if (isServiceError(error, 'LEDGER_STOPPED')) return [];
    throw error;
  }
}

/** The figures of the WebSocket server that are shown. */
interface PubsubFigures {
  readonly connections: number;
  readonly subscriptions: number;
}

/** Adds who listens by WebSocket. */
export function addPubsubMetrics(registry: Registry, prefix: NodePrefix, pubsub: PubsubFigures): void {
  registry.gauge(`${prefix}_websocket_connections`, 'Open WebSocket connections.', () => pubsub.connections);
  registry.gauge(
    `${prefix}_websocket_subscriptions`,
    'Subscriptions of all WebSocket connections.',
    () => pubsub.subscriptions,
  );
}

/** How the settlement of a rollup stands. */
interface SettlementFigures {
  /** What was accepted on the rollup and is not done yet: undelegations, payments, callbacks. */
  readonly pending: number;
  /** What of it failed and is tried again. */
  readonly stalled: number;
  /** Mints that are not settled until their accounts on base are in order. */
  readonly halted: readonly unknown[];
  /** Payments that may have been made and are not sent again. */
  readonly held: readonly unknown[];
}

/** Adds what the rollup has still to settle. */
export function addSettlementMetrics(registry: Registry, settlement: () => SettlementFigures): void {
  registry.gauge(
    'rollup_settlements_pending',
    'Undelegations, payments and callbacks that were accepted and are not done yet.',
    () => ofThePresent(() => settlement().pending),
  );
  registry.gauge('rollup_settlements_stalled', 'Those of them that failed and will be retried.', () =>
    ofThePresent(() => settlement().stalled),
  );
  registry.gauge(
    'rollup_mints_halted',
    'Mints whose settlement is halted because the books do not agree.',
    () => ofThePresent(() => settlement().halted.length),
  );
  registry.gauge(
    'rollup_intents_held',
    'Payments that are not sent again as base has forgotten whether it has made them.',
    () => ofThePresent(() => settlement().held.length),
  );
}

interface SponsorFigures {
  readonly spent: bigint;
  readonly limit: bigint;
}

/** Adds the spending of the sponsor of gasless transfers in the last hour, and its limit. */
export function addSponsorMetrics(registry: Registry, figures: () => SponsorFigures): void {
  registry.gauge(
    'sponsor_budget_lamports',
    'Lamports of the sponsor of gasless transfers: spent in the last hour, and the limit.',
    () => {
      const { spent, limit } = figures();
      return [
        [{ part: 'spent' }, Number(spent)],
        [{ part: 'limit' }, Number(limit)],
      ];
    },
  );
}
