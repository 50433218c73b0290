import type { Connection } from '@solana/web3.js';

/** What the library keeps to itself. */
interface Inside {
  readonly _subscriptionsByHash: object;
  readonly _rpcWebSocket: { setAutoReconnect(reconnect: boolean): void; close(): void };
}

/**
 * Ends the WebSocket of a connection for good. The library has no way of its own: it opens one again for
 * ever, after an orderly end as well while there are subscriptions.
 *
 * @param connection of any copy of the library.
 */
export function closeConnection(connection: Pick<Connection, 'rpcEndpoint'>): void {
  const { _rpcWebSocket: socket } = connection as unknown as Inside;
  Object.assign(connection, { _subscriptionsByHash: {} } satisfies Partial<Inside>);
  socket.setAutoReconnect(false);
  socket.close();
}
