import cluster from 'node:cluster';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { Server as SocketServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { Connections } from './connections.ts';
import { endAfterRequest, isEndless } from './delivery.ts';
import { HTTP_LIMITS } from './limits.ts';
import { isWebSocketHandshake, passOverUpgrade, refuseUpgrade, type UpgradeHandler } from './upgrade.ts';

/** The response to a request with an invalid head. */
interface HeadFault {
  readonly status: number;
  /** The response text, which says what to send instead. */
  readonly text: string;
}

/** Node's own limit silently drops further headers, possibly an Origin. */
const TOO_MANY_HEADERS: HeadFault = {
  status: 431,
  text: `send at most ${HTTP_LIMITS.headerCountMax} headers\n`,
};

/** RFC 9112 section 3.2. Node uses the first `Host` header, but a proxy may use the last. */
const SEVERAL_HOSTS: HeadFault = { status: 400, text: 'send one Host header\n' };

/** RFC 9112 section 3.2.2: the target determines the host, and `Host` must repeat its authority. */
const OTHER_AUTHORITY: HeadFault = {
  status: 400,
  text: 'the request target must be a path, or a URL whose host is the one in the Host header\n',
};

/** Checks the head of a request. Returns undefined if it is valid. */
function findHeadFault({ rawHeaders, headers, url = '' }: IncomingMessage): HeadFault | undefined {
  if (rawHeaders.length > 2 * HTTP_LIMITS.headerCountMax) return TOO_MANY_HEADERS;
  if (hasSeveralHosts(rawHeaders)) return SEVERAL_HOSTS;
  if (url.startsWith('/') || url === '*') return undefined;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  return authority?.toLowerCase() === headers.host?.toLowerCase() ? undefined : OTHER_AUTHORITY;
}

function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The counts of a server. */
export interface TrafficCounts {
  /** Requests whose head is complete and whose response is not. */
  readonly inFlight: number;
  /** Open upgraded connections. */
  readonly upgraded: number;
  /** Connections closed before a request was read, because the server or the client address had too many. */
  readonly dropped: number;
  /** Completed requests by status class, 1 to 5. Index 0 counts requests without a response. */
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
  /** Requests that wait until the port is closed; null if the server is not closing it. */
  #waiting: (() => void)[] | null = null;
  #drained: Promise<void> | undefined;

  constructor(server: Server, handler: RequestHandler, connectionsPerAddressMax: number) {
    this.#server = server;
    // Register before `Connections`, which removes closed sockets.
    server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      socket.once('close', () => this.#giveUp(socket));
    });
    // The primary of `node:cluster` closes the port. Node's own `close` would also end idle connections.
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

  /** Passes WebSocket handshakes to `handler`, up to `upgradedMax` open connections. */
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
   * Accepts all clients that have already connected, then stops accepting. Requests that arrive in the
   * meantime are served once the port is closed. Each open connection closes with its next response. The
   * rest close once nothing has been in progress for `HTTP_LIMITS.lastRequestsMs`, because a request may
   * be on its way.
   * Endless responses (`endWithServer`) end at once. Upgraded connections cause no delay: their handler
   * closes them within the drain time.
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

  /** Accepts the clients that the system has already connected. Closing the port would disconnect them. */
  async #letIn(): Promise<void> {
    const deadline = performance.now() + HTTP_LIMITS.lettingInMs;
    let before = -1;
    while (this.#server.listening && performance.now() < deadline) {
      // The primary closes the port once no client is waiting.
      if (cluster.isWorker) await sleep(1);
      else {
        if (before === this.#accepted) return;
        before = this.#accepted;
        // Since libuv 1.45, one client is accepted per turn, between two immediates.
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
        // Node reads sockets between the timers and the immediates of a turn, even if the timers are late.
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

  /** Makes each connection close with its last pending response. */
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

  /** Counts the responses of a closed connection. A pipelined response gets no close event until its turn. */
  #giveUp(socket: Socket): void {
    for (const response of this.#connections.responsesOf(socket)) {
      const isSent = response.socket !== null || response.writableFinished;
      this.#count(response, isSent ? statusClassOf(response) : 0);
    }
  }

  /** Tracks an upgraded connection. node:http neither closes it nor handles its errors. */
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

/** Rejects a request and closes its connection, because the start of the next request is ambiguous too. */
function refuseHead(request: IncomingMessage, response: ServerResponse, { status, text }: HeadFault): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  endAfterRequest(request, response, text);
}

/** Closes the port only. Node's `close` would end idle connections on which a request may be on its way. */
function stopListening(server: Server, onClosed: () => void): void {
  SocketServer.prototype.close.call(server, () => {
    // Stops the server's timer that checks slow connections.
    Server.prototype.close.call(server);
    onClosed();
  });
}
