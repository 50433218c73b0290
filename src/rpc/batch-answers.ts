import { HTTP_LIMITS } from '../http/limits.ts';
import { LongText } from '../json/long-text.ts';
import type { MethodCall } from './dispatcher.ts';
import { type Answer, writeFailure } from './envelope.ts';
import { invalidRequest, nodeBusy } from './errors.ts';

/** Characters of the answers of all batches in progress, over all servers of the process. */
let lengthOfAll = 0;

/**
 * The answers of a batch, up to a total length: a body of 50 KiB can request more than a string or the memory
 * holds. {@link release} must be called to return their share of the common limit.
 */
export class BatchAnswers {
  readonly #lengthMax: number;
  #joined = new LongText();
  #isEmpty = true;
  #length = 0;

  /** @param lengthMax characters. */
  constructor(lengthMax: number = HTTP_LIMITS.answerLengthMax) {
    this.#lengthMax = lengthMax;
  }

  /** Whether no further call should run: this batch or all batches together have reached the limit. */
  get isFull(): boolean {
    return this.#length >= this.#lengthMax || lengthOfAll >= HTTP_LIMITS.queuedBytesMax;
  }

  /** Adds an answer. The empty answer of a notification adds nothing. */
  add(answer: Answer): void {
    if (answer === '') return;
    this.#joined.append(this.#isEmpty ? '[' : ',');
    this.#isEmpty = false;
    if (typeof answer === 'string') this.#joined.append(answer);
    else this.#joined.appendLong(answer);
    this.#length += answer.length;
    lengthOfAll += answer.length;
  }

  /** The answer to a call that is skipped. */
  refuse({ id }: MethodCall): string {
    const isOurs = this.#length >= this.#lengthMax;
    const text = `The answers of the batch have ${this.#lengthMax} characters already; send this call separately`;
    return writeFailure(isOurs ? invalidRequest(text) : nodeBusy(), id);
  }

  /** Joins all answers into one body; empty if there is none. Nothing can be added afterwards. */
  join(): Answer {
    if (this.#isEmpty) return '';
    const body = this.#joined.append(']');
    return body.isShort ? body.toString() : body;
  }

  /** Returns their share of the common limit. */
  release(): void {
    lengthOfAll -= this.#length;
    this.#length = 0;
    this.#joined = new LongText();
  }
}
