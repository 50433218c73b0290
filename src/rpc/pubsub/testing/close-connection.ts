import type { Connection } from '@solana/web3.js';

/** Private members of web3.js. */
interface Inside {
  readonly _subscriptionsByHash: object;
  readonly _rpcWebSocket: { setAutoReconnect(reconnect: boolean): void; close(): void };
}

/**
 * Closes the WebSocket of a connection permanently. web3.js itself always reopens it while there are
 * subscriptions.
 *
 * @param connection a connection from any copy of web3.js.
 */
export function closeConnection(connection: Pick<Connection, 'rpcEndpoint'>): void {
  const { _rpcWebSocket: socket } = connection as unknown as Inside;
  Object.assign(connection, { _subscriptionsByHash: {} } satisfies Partial<Inside>);
  socket.setAutoReconnect(false);
  socket.close();
}
