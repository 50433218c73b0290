import cluster from 'node:cluster';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { Server as SocketServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { Connections } from './connections.ts';
import { isEndless } from './endless.ts';
import { findHeadFault, type HeadFault } from './head-fault.ts';
import { HTTP_LIMITS } from './limits.ts';
import { endAfterRequest } from './linger.ts';
import { isWebSocketHandshake, passOverUpgrade, refuseUpgrade, type UpgradeHandler } from './upgrade.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The counts of a server. */
export interface TrafficCounts {
  /** Requests with a complete head and without a complete answer. */
  readonly inFlight: number;
  /** Open upgraded connections. */
  readonly upgraded: number;
  /**
   * Connections closed without reading a request, because of `HTTP_LIMITS.connectionsMax` or the limit of one
   * address.
   */
  readonly dropped: number;
  /** Completed requests by status class, 1 to 5; at 0 those without an answer. */
  readonly answers: readonly number[];
}

/** Tracks the requests in progress and the upgraded connections of one server. */
export class Traffic {
  readonly #server: Server;
  readonly #handler: RequestHandler;
  readonly #connections: Connections;
  readonly #upgraded = new Set<Duplex>();
  readonly #answers = [0, 0, 0, 0, 0, 0];
  #onIdle: (() => void) | undefined;
  #accepted = 0;
  /** Requests that wait until the port is closed; null while none has to. */
  #waiting: (() => void)[] | null = null;
  #drained: Promise<void> | undefined;

  constructor(server: Server, handler: RequestHandler, connectionsPerAddressMax: number) {
    this.#server = server;
    // Before those of the connections, which forget what closes.
    server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      socket.once('close', () => this.#giveUp(socket));
    });
    // With `node:cluster` the port is closed by the primary; Node's own `close` would end idle connections.
    server.close = (done) => SocketServer.prototype.close.call(server, done) as Server;
    this.#connections = new Connections(server, connectionsPerAddressMax);
    this.#handler = handler;
    server.on('request', (request, response) => this.#take(request, response));
  }

  get counts(): TrafficCounts {
    return {
      inFlight: this.#connections.inFlight,
      upgraded: this.#upgraded.size,
      dropped: this.#connections.dropped,
      answers: this.#answers,
    };
  }

  /**
   * Hands WebSocket handshakes to `handler` from now on, while fewer than `upgradedMax` are open. Before,
   * they are requests like any other.
   */
  onUpgrade(handler: UpgradeHandler, upgradedMax: number = HTTP_LIMITS.upgradedMax): void {
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#connections.settle(socket);
      if (!isWebSocketHandshake(request)) return passOverUpgrade(this.#server, request, socket, head);
      this.#keep(socket);
      const fault = findHeadFault(request);
      if (fault !== undefined) refuseUpgrade(socket, fault.status, fault.text);
      else if (this.#onIdle !== undefined) refuseUpgrade(socket, 503, 'stopping\n');
      else if (this.#upgraded.size > upgradedMax) refuseUpgrade(socket, 503, 'no more connections\n');
      else handler(request, socket, head);
    });
  }

  /**
   * Stops accepting, once all that have connected are let in: what comes meanwhile is answered when the port
   * is closed. Each open connection closes with its next answer; the rest close once nothing has been in
   * flight for `HTTP_LIMITS.lastRequestsMs`, so that a request sent on an idle connection at that moment is
   * answered. Answers that go on for good are ended at once (`endWithServer`). Upgraded connections do not
   * delay this; their handler closes them until the drain time is over.
   */
  drain(): Promise<void> {
    this.#drained ??= this.#letInAndDrain();
    return this.#drained;
  }

  async #letInAndDrain(): Promise<void> {
    const waiting: (() => void)[] = [];
    this.#waiting = waiting;
    const deadline = setTimeout(() => {
      this.#server.closeAllConnections();
      for (const socket of this.#upgraded) socket.destroy();
    }, HTTP_LIMITS.drainTimeoutMs);
    this.#endWithNextAnswers();
    await this.#letIn();
    this.#waiting = null;
    const drained = this.#drain(deadline);
    for (const serve of waiting) serve();
    await drained;
  }

  /** The system has connected clients that are not accepted yet; with the port they would be cut off. */
  async #letIn(): Promise<void> {
    const deadline = performance.now() + HTTP_LIMITS.lettingInMs;
    let before = -1;
    while (this.#server.listening && performance.now() < deadline) {
      // A primary closes the port when nobody is on the way any more.
      if (cluster.isWorker) await sleep(1);
      else {
        if (before === this.#accepted) return;
        before = this.#accepted;
        // Clients are accepted between two immediates, one in a turn (libuv since 1.45).
        await turn();
        await turn();
      }
    }
  }

  #drain(deadline: NodeJS.Timeout): Promise<void> {
    return new Promise((resolve) => {
      const closeRest = (): void => {
        this.#server.closeAllConnections();
        if (this.#upgraded.size > 0) resolve();
      };
      const closeIfQuiet = (): void => {
        if (this.#connections.inFlight === 0) closeRest();
      };
      let quiet: NodeJS.Timeout | undefined;
      this.#onIdle = () => {
        clearTimeout(quiet);
        // Sockets are read between the timers and the immediates of a turn, however late the timers are.
        quiet = setTimeout(() => setImmediate(closeIfQuiet), HTTP_LIMITS.lastRequestsMs);
      };
      stopListening(this.#server, () => {
        clearTimeout(deadline);
        clearTimeout(quiet);
        resolve();
      });
      this.#endWithNextAnswers();
      for (const responses of this.#connections.responses()) {
        for (const response of responses) if (isEndless(response)) response.end();
      }
      if (this.#connections.inFlight === 0) this.#onIdle();
    });
  }

  /** With several requests on one connection, the last answer closes it: the others are answered too. */
  #endWithNextAnswers(): void {
    for (const responses of this.#connections.responses()) {
      const last = responses.at(-1);
      if (last !== undefined) last.shouldKeepAlive = false;
    }
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    this.#connections.begin(response);
    response.on('close', () => this.#count(response, statusClassOf(response)));
    if (this.#waiting !== null) return void this.#waiting.push(() => this.#serve(request, response));
    this.#serve(request, response);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.#onIdle !== undefined) response.shouldKeepAlive = false;
    const fault = findHeadFault(request);
    if (fault === undefined) this.#handler(request, response);
    else refuseHead(request, response, fault);
  }

  /** A pipelined response that never had its turn gets no close event. */
  #giveUp(socket: Socket): void {
    for (const response of this.#connections.responsesOf(socket)) {
      const isSent = response.socket !== null || response.writableFinished;
      this.#count(response, isSent ? statusClassOf(response) : 0);
    }
  }

  /** An upgraded connection is no longer node:http's, which neither closes it nor hears of its errors. */
  #keep(socket: Duplex): void {
    this.#upgraded.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#upgraded.delete(socket));
  }

  #count(response: ServerResponse, statusClass: number): void {
    if (!this.#connections.end(response)) return;
    this.#answers[statusClass] = (this.#answers[statusClass] ?? 0) + 1;
    if (this.#connections.inFlight === 0) this.#onIdle?.();
  }
}

const statusClassOf = ({ headersSent, statusCode }: ServerResponse): number =>
  headersSent ? Math.trunc(statusCode / 100) : 0;

/** If the head is ambiguous, so is the start of the next request: the connection closes with the answer. */
function refuseHead(request: IncomingMessage, response: ServerResponse, { status, text }: HeadFault): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  endAfterRequest(request, response, text);
}

/** Node's `close` ends idle connections at once, although the next request may be on its way. */
function stopListening(server: Server, onClosed: () => void): void {
  SocketServer.prototype.close.call(server, () => {
    // Stops the server's check of slow connections.
    Server.prototype.close.call(server);
    onClosed();
  });
}
