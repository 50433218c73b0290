import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { HTTP_LIMITS } from './limits.ts';

/** The open connections of one server. Those that idle between two requests give way once there is no more room. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #dropped = 0;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => this.#take(socket));
    server.on('drop', () => {
      this.#dropped += 1;
      server.closeIdleConnections();
    });
  }

  /** How many were closed unheard. */
  get dropped(): number {
    return this.#dropped;
  }

  #take(socket: Socket): void {
    // One whose offer of another protocol was passed over is handed in again.
    if (this.#open.has(socket)) return;
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    // Node drops whoever comes next, unless there is room by then. Of those that sent nothing yet none is idle: they have their own time.
    if (this.#open.size >= HTTP_LIMITS.connectionsMax) this.#server.closeIdleConnections();
  }
}
