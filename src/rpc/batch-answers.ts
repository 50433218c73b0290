import { HTTP_LIMITS } from '../http/limits.ts';
import { LongText } from '../json/long-text.ts';
import type { MethodCall } from './dispatcher.ts';
import { type Answer, writeFailure } from './envelope.ts';
import { invalidRequest, nodeBusy } from './errors.ts';

/** Total answer length of all batches in progress in this process, in characters. */
let lengthOfAll = 0;

/**
 * The answers to a batch, limited in total length. A body of 50 KiB can request more than fits in a string or
 * in memory. Call {@link release} at the end to free the batch's share of the limit for all batches.
 */
export class BatchAnswers {
  readonly #lengthMax: number;
  #joined = new LongText();
  #isEmpty = true;
  #length = 0;

  /** @param lengthMax maximum total length, in characters. */
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

  /** Returns the answer to a skipped call. */
  refuse({ id }: MethodCall): string {
    const isOurs = this.#length >= this.#lengthMax;
    const text = `The answers of this batch already have ${this.#lengthMax} characters; send this call separately`;
    return writeFailure(isOurs ? invalidRequest(text) : nodeBusy(), id);
  }

  /** Joins all answers into one body, which is empty if there are none. No answer can be added afterwards. */
  join(): Answer {
    if (this.#isEmpty) return '';
    const body = this.#joined.append(']');
    return body.isShort ? body.toString() : body;
  }

  /** Frees the batch's share of the limit for all batches and drops the answers. */
  release(): void {
    lengthOfAll -= this.#length;
    this.#length = 0;
    this.#joined = new LongText();
  }
}
