import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clientOf } from './client-address.ts';
import { HTTP_LIMITS } from './limits.ts';
import { refuseUpgrade } from './upgrade.ts';

interface OpenConnection {
  readonly socket: Socket;
  /** Timer that closes the connection; null once a complete head has arrived. */
  deadline: NodeJS.Timeout | null;
  /** Incomplete responses, in the order of their requests. */
  readonly responses: ServerResponse[];
  /** Number of bytes received when the last response ended; null before the first response. */
  restedAtBytes: number | null;
}

/**
 * Limits the open connections of one server, in total and per client address (`clientOf`). Closes a new
 * connection that sends no complete head within `HTTP_LIMITS.headersTimeoutMs`, and idle connections when the
 * server is full.
 */
export class Connections {
  readonly #open = new Map<Duplex, OpenConnection>();
  readonly #perAddressMax: number;
  readonly #perAddress = new Map<string, number>();
  #dropped = 0;
  #inFlight = 0;

  constructor(server: Server, perAddressMax: number) {
    this.#perAddressMax = perAddressMax;
    server.on('connection', (socket: Socket) => this.#take(socket));
    server.on('drop', () => {
      this.#dropped += 1;
      this.#closeIdle();
    });
  }

  /** Number of connections closed before a request was read. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Number of incomplete responses on all connections. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Yields the incomplete responses of each connection, in the order of their requests. */
  *responses(): Iterable<readonly ServerResponse[]> {
    for (const { responses } of this.#open.values()) yield responses;
  }

  /** Returns a copy of the incomplete responses of one connection. */
  responsesOf(socket: Socket): readonly ServerResponse[] {
    return [...(this.#open.get(socket)?.responses ?? [])];
  }

  /** Adds the response of a request whose head is complete. */
  begin(response: ServerResponse): void {
    const connection = this.#open.get(response.req.socket);
    if (connection === undefined) return;
    settle(connection);
    connection.responses.push(response);
    this.#inFlight += 1;
  }

  /** Removes a completed or abandoned response. Returns false if it was already removed. */
  end(response: ServerResponse): boolean {
    const { socket } = response.req;
    const connection = this.#open.get(socket);
    const at = connection?.responses.indexOf(response) ?? -1;
    if (connection === undefined || at < 0) return false;
    connection.responses.splice(at, 1);
    connection.restedAtBytes = socket.bytesRead;
    this.#inFlight -= 1;
    return true;
  }

  /** Clears the deadline of a connection. Call it when a complete head has arrived. */
  settle(socket: Duplex): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) settle(connection);
  }

  #take(socket: Socket): void {
    // `passOverUpgrade` emits the connection a second time.
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
    // Node's own timeout restarts at the first byte.
    const end = (): void => refuseUpgrade(socket, 408, 'the request head did not arrive in time\n');
    const deadline = setTimeout(end, HTTP_LIMITS.headersTimeoutMs);
    this.#open.set(socket, { socket, deadline, responses: [], restedAtBytes: null });
    // Node drops the next connection if the server is full.
    if (this.#open.size >= HTTP_LIMITS.connectionsMax) this.#closeIdle();
  }

  /**
   * Closes idle connections. Node's `closeIdleConnections` is not used: since Node 26 it also closes
   * connections that have sent nothing yet, including the new one. A connection that received bytes after its
   * last response is not idle: a request head is arriving.
   */
  #closeIdle(): void {
    for (const { socket, responses, restedAtBytes } of this.#open.values()) {
      if (responses.length === 0 && socket.bytesRead === restedAtBytes) socket.destroy();
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
