import type { ServerResponse } from 'node:http';

/** What shows that a stream is alive: a comment, which clients pass over. */
const HEARTBEAT = ': heartbeat\n\n';

/**
 * One client of a feed. Of one that does not read, no more than a bounded number of bytes is kept; it gets
 * nothing until it has taken them, and then hears that it has missed something. One that takes nothing from
 * one heartbeat to the next is cut off.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #queuedBytesMax: number;
  readonly #resetText: () => string;
  #hasMissed = false;
  /** Bytes that waited at the last heartbeat, while something has been missed. */
  #stalledBytes: number | null = null;

  /** @param resetText what a client is told that has missed events. */
  constructor(response: ServerResponse, queuedBytesMax: number, resetText: () => string) {
    this.#response = response;
    this.#queuedBytesMax = queuedBytesMax;
    this.#resetText = resetText;
    response.on('drain', () => this.#catchUp());
  }

  send(text: string): void {
    if (this.#hasMissed || this.#response.writableLength > this.#queuedBytesMax) this.#hasMissed = true;
    else this.#response.write(text);
  }

  beat(): void {
    if (!this.#hasMissed) return this.send(HEARTBEAT);
    const waiting = this.#response.writableLength;
    if (waiting === this.#stalledBytes) this.#response.destroy();
    this.#stalledBytes = waiting;
  }

  end(): void {
    this.#response.end();
  }

  #catchUp(): void {
    if (!this.#hasMissed) return;
    this.#hasMissed = false;
    this.#stalledBytes = null;
    this.#response.write(this.#resetText());
  }
}
