import { isServiceError } from '../errors/service-error.ts';
import type { NodePrefix } from './node-prefix.ts';
import type { Registry, Sample } from './registry.ts';

/** What of a ledger is shown. */
export interface LedgerFigures {
  head(): { readonly slot: number };
  accountCount(): number;
  /** Bytes of data of the accounts that are its own. */
  accountsBytes(): number;
  /** Bytes of data they may have together. */
  readonly accountsBytesMax: number;
  transactionCount(): number;
}

/** What a ledger takes up on the disk, bytes. */
export interface StoreFigures {
  /** What the database has not taken over yet. */
  readonly journalBytes: number;
  readonly databaseBytes: number;
}

/** Adds what an embedded ledger is and holds. `storeSize` is asked when the figures are. */
export function addLedgerMetrics(
  registry: Registry,
  prefix: NodePrefix,
  ledger: LedgerFigures,
  storeSize: () => StoreFigures,
): void {
  registry.add({
    name: `${prefix}_slot`,
    help: 'Slot of the newest block.',
    type: 'gauge',
    read: () => ofThePresent(() => ledger.head().slot),
  });
  registry.add({
    name: `${prefix}_accounts`,
    help: 'Accounts of the ledger.',
    type: 'gauge',
    read: () => ofThePresent(() => ledger.accountCount()),
  });
  registry.add({
    name: `${prefix}_accounts_bytes`,
    help: 'Bytes of account data stored here.',
    type: 'gauge',
    read: () => ofThePresent(() => ledger.accountsBytes()),
  });
  registry.add({
    name: `${prefix}_accounts_bytes_max`,
    help: 'Limit on bytes of account data (LEDGER_ACCOUNTS_BYTES_MAX).',
    type: 'gauge',
    read: () => ledger.accountsBytesMax,
  });
  registry.add({
    name: `${prefix}_transactions_total`,
    help: 'Transactions that landed since the ledger was made.',
    type: 'counter',
    read: () => ledger.transactionCount(),
  });
  registry.add({
    name: `${prefix}_journal_bytes`,
    help: 'Bytes of the journal that the database does not have yet.',
    type: 'gauge',
    read: () => storeSize().journalBytes,
  });
  registry.add({
    name: `${prefix}_database_bytes`,
    help: 'Bytes of the database on disk.',
    type: 'gauge',
    read: () => storeSize().databaseBytes,
  });
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
  registry.add({
    name: `${prefix}_websocket_connections`,
    help: 'Open WebSocket connections.',
    type: 'gauge',
    read: () => pubsub.connections,
  });
  registry.add({
    name: `${prefix}_websocket_subscriptions`,
    help: 'Subscriptions of all WebSocket connections.',
    type: 'gauge',
    read: () => pubsub.subscriptions,
  });
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
  registry.add({
    name: 'rollup_settlements_pending',
    help: 'Undelegations, payments and callbacks that were accepted and are not done yet.',
    type: 'gauge',
    read: () => ofThePresent(() => settlement().pending),
  });
  registry.add({
    name: 'rollup_settlements_stalled',
    help: 'Those of them that failed and will be retried.',
    type: 'gauge',
    read: () => ofThePresent(() => settlement().stalled),
  });
  registry.add({
    name: 'rollup_mints_halted',
    help: 'Mints whose settlement is halted because the books do not agree.',
    type: 'gauge',
    read: () => ofThePresent(() => settlement().halted.length),
  });
  registry.add({
    name: 'rollup_intents_held',
    help: 'Payments that are not sent again as base has forgotten whether it has made them.',
    type: 'gauge',
    read: () => ofThePresent(() => settlement().held.length),
  });
}
