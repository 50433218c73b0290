import { FairQueue } from '../../http/fair-queue.ts';
import { HTTP_LIMITS } from '../../http/limits.ts';
import { Shares } from '../../http/shares.ts';
import { nextTurn } from '../../http/turn.ts';
import { answerTooLong, nodeBusy } from '../errors.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { LARGE, type Scan, type Steps } from './scan.ts';

/** Whom a scan is for. */
export interface ScanClient {
  /** What stands for it in a table of addresses (`clientOf`). */
  readonly address: string;
  /** Whether nobody waits for the answer any more. */
  isGone(): boolean;
}

/** Nobody waits for the answer any more. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** What {@link Scans} are made with; what is left out is that of the process. */
export interface ScansOptions {
  /** ms of a clock that never goes back. */
  readonly now?: () => number;
  /** Resolves when others have had their turn, and it is that of the client at this address. */
  readonly pause?: (address: string) => Promise<void>;
  /** Of `HTTP_LIMITS`. */
  readonly turnMs?: number;
  readonly atOnceMax?: number;
  readonly waitingMax?: number;
}

interface Waiting {
  readonly client: ScanClient;
  readonly call: (turn: 'begin' | 'give up') => void;
}

/**
 * Makes the results that may take long. Small ones are made at once. Large ones go on in short turns, a few
 * at a time, so that all others have theirs in between; those beyond wait, and take their snapshot when they
 * begin. Those that wait begin in turn, one of each client, and one whose client has none is not kept waiting
 * by the others (`Shares`).
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

  /** How many large ones are being made. */
  get running(): number {
    return this.#running.taken;
  }

  /** How many large ones wait until they may begin. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * The result, at once where it is small.
   *
   * @param lengthMax characters of an answer; a large result that has more is not made any further.
   * @throws {RpcError} -32600 for such a result, -32005 when too many wait, and what the scan throws.
   * @throws {ClientGone}
   */
  run(scan: Scan, lengthMax: number, client: ScanClient): JsonOutput | Promise<JsonOutput> {
    const steps = scan.begin();
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (step.value === LARGE) break;
    }
    if (this.#running.hasRoomFor(client.address)) {
      this.#running.take(client.address);
      return this.#goOn(steps, lengthMax, client);
    }
    // What it has read so far is of now, and it will be asked for later.
    steps.return(null);
    return this.#runLater(scan, lengthMax, client);
  }

  async #runLater(scan: Scan, lengthMax: number, client: ScanClient): Promise<JsonOutput> {
    await this.#place(client);
    return await this.#goOn(scan.begin(), lengthMax, client);
  }

  async #goOn(steps: Steps<JsonOutput>, lengthMax: number, client: ScanClient): Promise<JsonOutput> {
    try {
      let length = 0;
      let turnEndsAtMs = this.#now() + this.#turnMs;
      for (;;) {
        if (client.isGone()) throw new ClientGone();
        for (;;) {
          const step = steps.next();
          if (step.done === true) return step.value;
          // Between this and the next step nothing may happen: the snapshot is being taken.
          if (step.value === LARGE) continue;
          length += step.value;
          if (length > lengthMax) throw answerTooLong(lengthMax);
          if (this.#now() >= turnEndsAtMs) break;
        }
        await this.#pause(client.address);
        turnEndsAtMs = this.#now() + this.#turnMs;
      }
    } finally {
      steps.return(null);
      this.#leave(client);
    }
  }

  /**
   * Resolves when one more may be made, in a turn of its own.
   *
   * @throws {RpcError} -32005 when too many wait.
   * @throws {ClientGone}
   */
  async #place(client: ScanClient): Promise<void> {
    if (!this.#places.hasRoomFor(client.address)) this.#sendGoneAway();
    if (!this.#places.hasRoomFor(client.address)) throw nodeBusy();
    this.#places.take(client.address);
    const turn = await new Promise((resolve) =>
      this.#waiting.push(client.address, { client, call: resolve }),
    );
    if (turn === 'give up') throw new ClientGone();
    await this.#pause(client.address);
  }

  /** What one that is over leaves goes to the next that waits and may have it. */
  #leave({ address }: ScanClient): void {
    this.#running.giveBack(address);
    const next = this.#waiting.shift((waiting) => this.#running.hasRoomFor(waiting));
    if (next === undefined) return;
    this.#running.take(next.client.address);
    this.#call(next, 'begin');
  }

  /** Those nobody waits for any more would keep others out until it is their turn. */
  #sendGoneAway(): void {
    for (const gone of this.#waiting.take(({ client }) => client.isGone())) this.#call(gone, 'give up');
  }

  #call({ client, call }: Waiting, turn: 'begin' | 'give up'): void {
    this.#places.giveBack(client.address);
    call(turn);
  }
}

/** Those of the process, whoever serves them. */
export const processScans = new Scans();
