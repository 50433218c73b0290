import { FairQueue } from '../../http/fair-queue.ts';
import { Shares } from '../../http/in-flight.ts';
import { HTTP_LIMITS } from '../../http/limits.ts';
import { nextTurn } from '../../http/turn.ts';
import { answerTooLong, nodeBusy } from '../errors.ts';
import { LARGE, type Scan, type Steps } from './scan.ts';

/** The client of a scan. */
export interface ScanClient {
  /** The key of the client (`clientOf`). */
  readonly address: string;
  /** Whether the client has stopped waiting for the answer. */
  isGone(): boolean;
}

/** Thrown if the client has stopped waiting for the answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Options of {@link Scans}. */
export interface ScansOptions {
  /** A monotonic clock, in ms. */
  readonly now?: () => number;
  /** Resolves at the next turn of the client. */
  readonly pause?: (address: string) => Promise<void>;
  /** Duration of a turn, in ms; default in `HTTP_LIMITS`. */
  readonly turnMs?: number;
  readonly atOnceMax?: number;
  readonly waitingMax?: number;
}

interface Waiting {
  readonly client: ScanClient;
  readonly call: (turn: 'begin' | 'give up') => void;
}

/**
 * Runs scans. Small scans run immediately. A few large scans run at a time, in short turns that alternate
 * with other requests. The rest wait, and take their snapshot when they start. Clients with waiting scans
 * take turns, and a client with no running scan does not wait for other clients' scans (`Shares`).
 */
export class Scans {
  readonly #now: () => number;
  readonly #pause: (address: string) => Promise<void>;
  readonly #turnMs: number;
  readonly #running: Shares;
  readonly #places: Shares;
  readonly #waiting = new FairQueue<Waiting>();

  constructor(options: ScansOptions = {}) {
    this.#now = options.now ?? (() => performance.now());
    this.#pause = options.pause ?? nextTurn;
    this.#turnMs = options.turnMs ?? HTTP_LIMITS.scanTurnMs;
    this.#running = new Shares(options.atOnceMax ?? HTTP_LIMITS.scansAtOnceMax);
    this.#places = new Shares(options.waitingMax ?? HTTP_LIMITS.scansWaitingMax);
  }

  /** Number of running large scans. */
  get running(): number {
    return this.#running.taken;
  }

  /** Number of waiting large scans. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs a scan. A small scan returns synchronously.
   *
   * @param lengthMax maximum length of a large result, in characters.
   * @throws {RpcError} -32600 if a large result is longer, -32005 if too many scans wait, and the scan's own
   *   errors.
   * @throws {ClientGone}
   */
  run<Result>(scan: Scan<Result>, lengthMax: number, client: ScanClient): Result | Promise<Result> {
    const steps = scan.begin();
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (step.value === LARGE) break;
    }
    if (this.#running.hasRoomFor(client.address)) {
      this.#running.take(client.address);
      return this.#continue(steps, lengthMax, client);
    }
    // The data read so far would be outdated. The scan reads it again when it starts.
    steps.return(null as never);
    return this.#runLater(scan, lengthMax, client);
  }

  async #runLater<Result>(scan: Scan<Result>, lengthMax: number, client: ScanClient): Promise<Result> {
    await this.#place(client);
    return await this.#continue(scan.begin(), lengthMax, client);
  }

  async #continue<Result>(steps: Steps<Result>, lengthMax: number, client: ScanClient): Promise<Result> {
    try {
      return await this.#inTurns(steps, lengthMax, client);
    } finally {
      this.#leave(client);
    }
  }

  /**
   * Reserves a place among the large scans for work that is not a scan.
   *
   * @returns a function that releases the place.
   * @throws {RpcError} -32005 if too many scans wait.
   * @throws {ClientGone}
   */
  async enter(client: ScanClient): Promise<() => void> {
    if (this.#running.hasRoomFor(client.address)) this.#running.take(client.address);
    else await this.#place(client);
    return () => this.#leave(client);
  }

  /**
   * Runs steps in short turns that alternate with other requests. The client must have a place.
   *
   * @throws {RpcError} -32600 if the result grows beyond `lengthMax`, and the steps' own errors.
   * @throws {ClientGone}
   */
  async #inTurns<Result>(steps: Steps<Result>, lengthMax: number, client: ScanClient): Promise<Result> {
    try {
      let length = 0;
      let turnEndsAtMs = this.#now() + this.#turnMs;
      for (;;) {
        if (client.isGone()) throw new ClientGone();
        for (;;) {
          const step = steps.next();
          if (step.done === true) return step.value;
          // The ledger must not change between this step and the next, because the snapshot is being taken.
          if (step.value === LARGE) continue;
          length += step.value;
          if (length > lengthMax) throw answerTooLong(lengthMax);
          if (this.#now() >= turnEndsAtMs) break;
        }
        await this.#pause(client.address);
        turnEndsAtMs = this.#now() + this.#turnMs;
      }
    } finally {
      steps.return(null as never);
    }
  }

  /**
   * Resolves in a new turn when another scan may run.
   *
   * @throws {RpcError} -32005 if too many scans wait.
   * @throws {ClientGone}
   */
  async #place(client: ScanClient): Promise<void> {
    if (!this.#places.hasRoomFor(client.address)) this.#dropGone();
    if (!this.#places.hasRoomFor(client.address)) throw nodeBusy();
    this.#places.take(client.address);
    const turn = await new Promise((resolve) =>
      this.#waiting.push(client.address, { client, call: resolve }),
    );
    if (turn === 'give up') throw new ClientGone();
    await this.#pause(client.address);
  }

  /** Ends a scan and starts the next waiting scan whose client may run another. */
  #leave({ address }: ScanClient): void {
    this.#running.release(address);
    const next = this.#waiting.shift((waiting) => this.#running.hasRoomFor(waiting));
    if (next === undefined) return;
    this.#running.take(next.client.address);
    this.#call(next, 'begin');
  }

  /** Removes waiting scans of disconnected clients, which would occupy places until their turn. */
  #dropGone(): void {
    for (const gone of this.#waiting.take(({ client }) => client.isGone())) this.#call(gone, 'give up');
  }

  #call({ client, call }: Waiting, turn: 'begin' | 'give up'): void {
    this.#places.release(client.address);
    call(turn);
  }
}

/** The scans of the process, shared by all its servers. */
export const processScans = new Scans();
