import type { Registry } from './registry.ts';

/** What of a ledger is shown. */
export interface LedgerFigures {
  head(): { readonly slot: number };
  accountCount(): number;
  transactionCount(): number;
}

/** What a ledger takes up on the disk, bytes. */
export interface StoreFigures {
  /** What the database has not taken over yet. */
  readonly journalBytes: number;
  readonly databaseBytes: number;
}

/** Adds what the embedded ledger is and holds. `storeSize` is asked when the figures are. */
export function addLedgerMetrics(
  registry: Registry,
  ledger: LedgerFigures,
  storeSize: () => StoreFigures,
): void {
  registry.add({
    name: 'ledger_slot',
    help: 'Slot of the newest block.',
    type: 'gauge',
    read: () => ledger.head().slot,
  });
  registry.add({
    name: 'ledger_accounts',
    help: 'Accounts of the ledger.',
    type: 'gauge',
    read: () => ledger.accountCount(),
  });
  registry.add({
    name: 'ledger_transactions_total',
    help: 'Transactions that landed since the ledger was made.',
    type: 'counter',
    read: () => ledger.transactionCount(),
  });
  registry.add({
    name: 'ledger_journal_bytes',
    help: 'Bytes of the journal that the database has not taken over yet.',
    type: 'gauge',
    read: () => storeSize().journalBytes,
  });
  registry.add({
    name: 'ledger_database_bytes',
    help: 'Bytes of the database on the disk.',
    type: 'gauge',
    read: () => storeSize().databaseBytes,
  });
}

/** What of the WebSocket face is shown. */
export interface PubsubFigures {
  readonly connections: number;
  readonly subscriptions: number;
}

/** Adds who listens by WebSocket. */
export function addPubsubMetrics(registry: Registry, pubsub: PubsubFigures): void {
  registry.add({
    name: 'ledger_websocket_connections',
    help: 'Open WebSocket connections.',
    type: 'gauge',
    read: () => pubsub.connections,
  });
  registry.add({
    name: 'ledger_websocket_subscriptions',
    help: 'Subscriptions of all WebSocket connections.',
    type: 'gauge',
    read: () => pubsub.subscriptions,
  });
}
