import { WebSocket } from 'ws';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Timer } from '../../ports/timer.ts';
import { Heartbeat } from '../../rpc/pubsub/heartbeat.ts';
import { PUBSUB_LIMITS } from '../../rpc/pubsub/limits.ts';

/** Maximum size of a message, bytes. The largest account (10 MiB, Agave `MAX_PERMITTED_DATA_LENGTH`) fits. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/** Time limit of a handshake, in ms. */
const HANDSHAKE_MS_MAX = 5_000;
/** Time after which a connection counts as good, in ms. The next pause is then the shortest again. */
const STABLE_MS = 10_000;
/** Maximum pause after every URL was tried once, in ms. The minimum is half; both double with each round. */
const PAUSE_MS = 250;
const DOUBLINGS_MAX = 6;

/** External dependencies of a socket. */
export interface SocketPorts {
  readonly timer: Timer;
  readonly random: Random;
  readonly logger: Logger;
}

/** Callbacks of an {@link UpstreamSocket}. */
interface SocketEvents {
  /** Handles an opened connection. Nothing of the previous connection is left. */
  onOpen(): void;
  onMessage(data: Buffer): void;
  /** Reports that every URL has failed in a row. */
  onUnreachable(): void;
  /** Whether a lost connection must be opened again. */
  isWanted(): boolean;
}

/** A WebSocket to one of several URLs, tried in turn. Opens a lost connection again, after a pause. */
export class UpstreamSocket {
  readonly #urls: readonly URL[];
  readonly #ports: SocketPorts;
  readonly #events: SocketEvents;
  readonly #heartbeat: Heartbeat;
  #socket: WebSocket | undefined;
  #callOffPause: (() => void) | undefined;
  /** Index of the URL in use. */
  #at = 0;
  /** Number of losses and failures since the last good connection. */
  #failures = 0;
  #isAlive = false;
  #isClosed = false;

  constructor(urls: readonly URL[], ports: SocketPorts, events: SocketEvents) {
    this.#urls = urls;
    this.#ports = ports;
    this.#events = events;
    this.#heartbeat = new Heartbeat(ports.timer, PUBSUB_LIMITS.pingIntervalMs, () => this.#probe());
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connects, unless there is a connection or a pause. */
  connect(): void {
    if (this.#isClosed || this.#socket !== undefined || this.#callOffPause !== undefined) return;
    const socket = new WebSocket(this.#urls[this.#at] as URL, {
      handshakeTimeout: HANDSHAKE_MS_MAX,
      maxPayload: MESSAGE_BYTES_MAX,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.#socket = socket;
    let reason: unknown;
    let callOffGood: (() => void) | undefined;
    socket.on('open', () => {
      this.#isAlive = true;
      this.#heartbeat.run(true);
      callOffGood = this.#ports.timer.after(STABLE_MS, () => (this.#failures = 0));
      this.#events.onOpen();
    });
    socket.on('message', (data: Buffer) => {
      this.#isAlive = true;
      if (!this.#isClosed) this.#events.onMessage(data);
    });
    socket.on('ping', () => (this.#isAlive = true));
    socket.on('pong', () => (this.#isAlive = true));
    // Only the code is logged, because the message may contain the URL.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => (reason = code));
    socket.on('close', (code) => {
      callOffGood?.();
      this.#lose({ reason: reason ?? code, wasOpen: callOffGood !== undefined });
    });
  }

  /** Sends a message, or nothing if there is no connection. */
  send(message: string): void {
    if (this.isOpen) this.#socket?.send(message);
  }

  /** Ends the present connection, as if it were lost. */
  drop(): void {
    this.#socket?.terminate();
  }

  /** Ends the connection permanently. */
  close(): void {
    this.#isClosed = true;
    this.#callOffPause?.();
    this.#heartbeat.run(false);
    this.drop();
  }

  #probe(): void {
    if (this.#isAlive) this.#socket?.ping();
    else this.drop();
    this.#isAlive = false;
  }

  #lose({ reason, wasOpen }: { readonly reason: unknown; readonly wasOpen: boolean }): void {
    this.#socket = undefined;
    this.#heartbeat.run(false);
    if (this.#isClosed) return;
    const { timer, logger } = this.#ports;
    logger.warn({ position: this.#at + 1, reason, wasOpen }, 'upstream WebSocket is lost');
    const round = Math.floor(this.#failures / this.#urls.length);
    this.#failures += 1;
    this.#at = (this.#at + 1) % this.#urls.length;
    this.#callOffPause = timer.after(this.#pauseMs(round), () => {
      this.#callOffPause = undefined;
      if (this.#events.isWanted()) this.connect();
    });
    if (!wasOpen && this.#failures % this.#urls.length === 0) this.#events.onUnreachable();
  }

  #pauseMs(round: number): number {
    // Random, so gateways that lost their connections together do not return together.
    const [high = 0, low = 0] = this.#ports.random.bytes(2);
    return PAUSE_MS * 2 ** Math.min(round, DOUBLINGS_MAX) * (0.5 + (high * 256 + low) / 0x1_0000 / 2);
  }
}
