import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clientOf } from './client-address.ts';
import { HTTP_LIMITS } from './limits.ts';
import { refuseUpgrade } from './upgrade.ts';

/** One table has all of it, as each request asks. */
interface OpenConnection {
  readonly socket: Socket;
  /** Closes it; null once a complete head has come. */
  deadline: NodeJS.Timeout | null;
  /** Requests in progress. */
  requests: number;
  /** The bytes received when the last answer ended; null before the first. */
  restedAtBytes: number | null;
}

/**
 * Limits the open connections of one server. A new connection has `HTTP_LIMITS.headersTimeoutMs` to send its
 * first complete head. Idle ones are closed when there is no more room. One client address (`clientOf`) may
 * hold a limited number.
 */
export class Connections {
  readonly #open = new Map<Duplex, OpenConnection>();
  readonly #perAddressMax: number;
  readonly #perAddress = new Map<string, number>();
  #dropped = 0;

  constructor(server: Server, perAddressMax: number) {
    this.#perAddressMax = perAddressMax;
    server.on('connection', (socket: Socket) => this.#take(socket));
    server.on('drop', () => {
      this.#dropped += 1;
      this.#closeIdle();
    });
  }

  /** Number closed without reading a request. */
  get dropped(): number {
    return this.#dropped;
  }

  /** A request has begun: its head is complete. {@link rest} has to follow. */
  begin(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    settle(connection);
    connection.requests += 1;
  }

  /** The answer of a request that began is complete, or has been given up. */
  rest(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    connection.requests -= 1;
    connection.restedAtBytes = socket.bytesRead;
  }

  /** How many requests of an open connection are in progress. */
  requestsOf(socket: Socket): number {
    return this.#open.get(socket)?.requests ?? 0;
  }

  /** A complete head has arrived. */
  settle(socket: Duplex): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) settle(connection);
  }

  #take(socket: Socket): void {
    // A request whose upgrade offer was ignored arrives a second time.
    if (this.#open.has(socket)) return;
    const address = clientOf(socket.remoteAddress);
    const count = this.#perAddress.get(address) ?? 0;
    if (count >= this.#perAddressMax) {
      this.#dropped += 1;
      socket.destroy();
      return;
    }
    this.#perAddress.set(address, count + 1);
    socket.once('close', () => this.#leave(socket, address));
    // Node's own timeout restarts with the first byte.
    const end = (): void => refuseUpgrade(socket, 408, 'send the whole head sooner\n');
    const deadline = setTimeout(end, HTTP_LIMITS.headersTimeoutMs);
    this.#open.set(socket, { socket, deadline, requests: 0, restedAtBytes: null });
    // Node drops the next connection unless there is room by then. A connection that has sent nothing has a
    // timeout of its own and is not idle.
    if (this.#open.size >= HTTP_LIMITS.connectionsMax) this.#closeIdle();
  }

  /**
   * Closes idle connections. Since Node 26, closeIdleConnections also closes those that have sent nothing
   * yet, which may be the new connection room is made for. A connection that has received bytes since its
   * last answer is in the middle of a head.
   */
  #closeIdle(): void {
    for (const { socket, requests, restedAtBytes } of this.#open.values()) {
      if (requests === 0 && socket.bytesRead === restedAtBytes) socket.destroy();
    }
  }

  #leave(socket: Socket, address: string): void {
    this.settle(socket);
    this.#open.delete(socket);
    const left = (this.#perAddress.get(address) ?? 0) - 1;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
  }
}

function settle(connection: OpenConnection): void {
  if (connection.deadline === null) return;
  clearTimeout(connection.deadline);
  connection.deadline = null;
}
