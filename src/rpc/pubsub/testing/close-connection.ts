import type { Connection } from '@solana/web3.js';

/** Private members of the library. */
interface Inside {
  readonly _subscriptionsByHash: object;
  readonly _rpcWebSocket: { setAutoReconnect(reconnect: boolean): void; close(): void };
}

/**
 * Closes the WebSocket of a connection permanently. The library cannot: it always reopens, even after an
 * orderly end, while there are subscriptions.
 *
 * @param connection of any copy of the library.
 */
export function closeConnection(connection: Pick<Connection, 'rpcEndpoint'>): void {
  const { _rpcWebSocket: socket } = connection as unknown as Inside;
  Object.assign(connection, { _subscriptionsByHash: {} } satisfies Partial<Inside>);
  socket.setAutoReconnect(false);
  socket.close();
}
