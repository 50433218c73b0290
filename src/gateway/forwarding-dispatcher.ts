import { failureFields } from '../errors/failure-fields.ts';
import { isServiceError } from '../errors/service-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Answer } from '../rpc/answer.ts';
import { BatchAnswers } from '../rpc/batch-answers.ts';
import {
  answerNoMethod,
  isBatch,
  refuseBatch,
  type CallObserver,
  type MethodCall,
} from '../rpc/dispatcher.ts';
import { readEnvelope, writeFailure, type Call } from '../rpc/envelope.ts';
import { internalError, parseError, type RpcError } from '../rpc/errors.ts';
import { createAllowList, isRepeatable } from './forwarded-methods.ts';
import { wasSurelyNotTaken, type Forwarder } from './forwarder.ts';
import { batchTookTooLong, notForwarded, ofUpstream } from './gateway-errors.ts';
import { splitItems } from '../json/json-text.ts';
import type { Reachability } from './reachability.ts';

/** Reads of one batch that are forwarded at the same time. */
const BATCH_READS_MAX = 8;
/** Calls of a batch that have not been forwarded by then are not forwarded any more, ms. */
const BATCH_TIME_MAX_MS = 15_000;

/** What is forwarded, and who hears of it. */
export interface ForwardingOptions {
  /** Methods that are forwarded besides the usual ones; `*` stands for all. */
  readonly methods: readonly string[];
  readonly batchMax: number;
  readonly ports: { readonly clock: Clock; readonly logger: Logger };
  readonly observe?: CallObserver;
}

/** A call of a batch with its own text. */
type BatchItem = readonly [Call, string];

/** Sorts bodies as the dispatcher of a ledger node does, and makes sure that every call is answered. */
export class ForwardingDispatcher {
  readonly #options: ForwardingOptions;
  readonly #observe: CallObserver;
  readonly #clock: Clock;
  readonly #isAllowed: (method: string) => boolean;
  readonly #forwarder: Forwarder;
  readonly #reachability: Reachability;

  constructor(options: ForwardingOptions, forwarder: Forwarder, reachability: Reachability) {
    this.#options = options;
    this.#observe = options.observe ?? (() => {});
    this.#clock = options.ports.clock;
    this.#isAllowed = createAllowList(options.methods);
    this.#forwarder = forwarder;
    this.#reachability = reachability;
  }

  /** Answers one body. Never throws or rejects. */
  answerBody(body: string): Answer | Promise<Answer> {
    const envelope = readEnvelope(body);
    if (envelope === undefined) {
      this.#observe(undefined, 'refused', 0);
      return writeFailure(parseError(), null);
    }
    if (!isBatch(envelope)) return this.#answerCall(envelope, body);
    const { batchMax } = this.#options;
    if (envelope.length > batchMax) return refuseBatch(envelope.length, batchMax);
    const texts = splitItems(body);
    return this.#answerBatch(envelope.map((call, at): BatchItem => [call, texts[at] as string]));
  }

  #answerCall(call: Call, text: string): string | Promise<string> {
    if (call.kind === 'method') return this.#answerMethod(call, text);
    if (call.kind !== 'notification') this.#observe(undefined, 'refused', 0);
    return answerNoMethod(call);
  }

  async #answerBatch(items: readonly BatchItem[]): Promise<Answer> {
    const lastStartAt = this.#clock.now() + BATCH_TIME_MAX_MS;
    const answers = new BatchAnswers();
    try {
      for (const round of roundsOf(items)) {
        const isTooLate = this.#clock.now() > lastStartAt;
        const { isFull } = answers;
        const answerOne = ([call, text]: BatchItem): string | Promise<string> => {
          if (call.kind === 'method' && isFull) return answers.refuse(call);
          if (call.kind === 'method' && isTooLate) return writeFailure(batchTookTooLong(), call.id);
          return this.#answerCall(call, text);
        };
        for (const answer of await Promise.all(round.map(answerOne))) answers.add(answer);
      }
      return answers.join();
    } finally {
      answers.release();
    }
  }

  async #answerMethod({ method, id }: MethodCall, text: string): Promise<string> {
    if (!this.#isAllowed(method)) {
      this.#observe(undefined, 'refused', 0);
      return writeFailure(notForwarded(), id);
    }
    const startMs = performance.now();
    try {
      const answer = await this.#forwarder.forward({ method, id }, text);
      this.#reachability.note();
      this.#observe(method, answer.isError ? 'refused' : 'ok', performance.now() - startMs);
      return answer.text;
    } catch (error) {
      this.#observe(method, 'failed', performance.now() - startMs);
      return writeFailure(this.#errorOf(error, method), id);
    }
  }

  #errorOf(error: unknown, method: string): RpcError {
    if (isServiceError(error)) return ofUpstream(error, isRepeatable(method) || wasSurelyNotTaken(error));
    this.#options.ports.logger.error(failureFields(error), 'forwarding failed');
    return internalError();
  }
}

/**
 * The calls of a batch by what may be under way at the same time. A node runs them one after another; reads
 * do not mind one another, and a call that may change something goes alone, with all before it answered and
 * none after it begun.
 */
function roundsOf(items: readonly BatchItem[]): BatchItem[][] {
  const rounds: BatchItem[][] = [];
  let reads: BatchItem[] | undefined;
  for (const item of items) {
    const [call] = item;
    const isRead = call.kind !== 'method' || isRepeatable(call.method);
    if (isRead && reads !== undefined && reads.length < BATCH_READS_MAX) reads.push(item);
    else {
      const round = [item];
      rounds.push(round);
      reads = isRead ? round : undefined;
    }
  }
  return rounds;
}
