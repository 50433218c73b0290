import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clientOf } from './client-address.ts';
import { HTTP_LIMITS } from './limits.ts';
import { refuseUpgrade } from './upgrade.ts';

/**
 * Limits the open connections of one server. A new connection has `HTTP_LIMITS.headersTimeoutMs` to send its
 * first complete head. Idle ones are closed when there is no more room. One client address (`clientOf`) may
 * hold a limited number.
 */
export class Connections {
  readonly #open = new Set<Socket>();
  /** Connections without a complete head, with what closes them. */
  readonly #newcomers = new Map<Duplex, NodeJS.Timeout>();
  /** Connections with requests in progress, with their number. */
  readonly #busy = new Map<Socket, number>();
  /** Idle connections, with the bytes received when the last answer ended. */
  readonly #idle = new Map<Socket, number>();
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
    this.settle(socket);
    this.#idle.delete(socket);
    this.#busy.set(socket, (this.#busy.get(socket) ?? 0) + 1);
  }

  /** The answer of a request that began is complete, or has been given up. */
  rest(socket: Socket): void {
    const left = (this.#busy.get(socket) ?? 0) - 1;
    if (left > 0) return void this.#busy.set(socket, left);
    this.#busy.delete(socket);
    if (this.#open.has(socket)) this.#idle.set(socket, socket.bytesRead);
  }

  /** A complete head has arrived. */
  settle(socket: Duplex): void {
    const deadline = this.#newcomers.get(socket);
    if (deadline === undefined) return;
    clearTimeout(deadline);
    this.#newcomers.delete(socket);
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
    this.#open.add(socket);
    socket.once('close', () => this.#leave(socket, address));
    // Node's own timeout restarts with the first byte.
    const end = (): void => refuseUpgrade(socket, 408, 'send the whole head sooner\n');
    this.#newcomers.set(socket, setTimeout(end, HTTP_LIMITS.headersTimeoutMs));
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
    for (const [socket, bytes] of this.#idle) if (socket.bytesRead === bytes) socket.destroy();
  }

  #leave(socket: Socket, address: string): void {
    this.#open.delete(socket);
    this.#busy.delete(socket);
    this.#idle.delete(socket);
    const left = (this.#perAddress.get(address) ?? 0) - 1;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
    this.settle(socket);
  }
}
