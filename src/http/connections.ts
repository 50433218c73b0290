import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clientOf } from './client-address.ts';
import { HTTP_LIMITS } from './limits.ts';
import { refuseUpgrade } from './upgrade.ts';

/**
 * The open connections of one server. A new one has `HTTP_LIMITS.headersTimeoutMs` for its first head, however it spends
 * them. Those that idle between two requests give way once there is no more room. From one client address (`clientOf`) no
 * more than a certain number may be open.
 */
export class Connections {
  readonly #open = new Set<Socket>();
  /** Those without a whole head so far, with what ends them. */
  readonly #newcomers = new Map<Duplex, NodeJS.Timeout>();
  /** Those that requests are under way on, with how many. */
  readonly #busy = new Map<Socket, number>();
  /** Those between two requests, with how many bytes had come when the last answer was over. */
  readonly #idle = new Map<Socket, number>();
  readonly #perAddressMax: number;
  readonly #perAddress = new Map<string, number>();
  #dropped = 0;

  constructor(server: Server, perAddressMax: number) {
    this.#perAddressMax = perAddressMax;
    server.on('connection', (socket: Socket) => this.#take(socket));
    server.on('request', ({ socket }, response) => {
      this.settle(socket);
      this.#idle.delete(socket);
      this.#busy.set(socket, (this.#busy.get(socket) ?? 0) + 1);
      response.once('close', () => this.#rest(socket));
    });
    server.on('drop', () => {
      this.#dropped += 1;
      this.#closeIdle();
    });
  }

  /** How many were closed unheard. */
  get dropped(): number {
    return this.#dropped;
  }

  /** A whole head has come. Of requests that is heard here. */
  settle(socket: Duplex): void {
    const deadline = this.#newcomers.get(socket);
    if (deadline === undefined) return;
    clearTimeout(deadline);
    this.#newcomers.delete(socket);
  }

  #take(socket: Socket): void {
    // One whose offer of another protocol was passed over is handed in again.
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
    // Node's own time-out begins anew with the first byte.
    const end = (): void => refuseUpgrade(socket, 408, 'send the whole head sooner\n');
    this.#newcomers.set(socket, setTimeout(end, HTTP_LIMITS.headersTimeoutMs));
    // Node drops whoever comes next, unless there is room by then. One that sent nothing yet has its own time and
    // does not idle.
    if (this.#open.size >= HTTP_LIMITS.connectionsMax) this.#closeIdle();
  }

  /** An answer is over. */
  #rest(socket: Socket): void {
    const left = (this.#busy.get(socket) ?? 0) - 1;
    if (left > 0) return void this.#busy.set(socket, left);
    this.#busy.delete(socket);
    if (this.#open.has(socket)) this.#idle.set(socket, socket.bytesRead);
  }

  /**
   * Ends those that idle. Node's own closeIdleConnections takes those that have sent nothing yet for idle since 26, and
   * would end the very connection that there is to be room for. One of which bytes have come since is in the middle of a
   * head.
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
