import { failureFields } from '../errors/failure-fields.ts';
import { isServiceError, type ServiceError } from '../errors/service-error.ts';
import { splitItems } from '../json/parse-json.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { BatchAnswers } from '../rpc/batch-answers.ts';
import {
  answerNoMethod,
  type CallObserver,
  isBatch,
  type MethodCall,
  refuseBatch,
} from '../rpc/dispatcher.ts';
import { type Answer, type Call, readEnvelope, writeFailure } from '../rpc/envelope.ts';
import {
  INTERNAL_ERROR,
  internalError,
  METHOD_NOT_FOUND,
  nodeBusy,
  parseError,
  RpcError,
  tooManyRequests,
} from '../rpc/errors.ts';
import { ClientGone, type ScanClient } from '../rpc/scan/scans.ts';
import { type Forwarder, isRepeatable, hadNoEffect } from './forwarder.ts';

/** Maximum number of reads of one batch forwarded at the same time. */
const BATCH_READS_MAX = 8;
/** Time after which no further calls of a batch are forwarded, in ms. */
const BATCH_TIME_MAX_MS = 15_000;

/** Counts the calls of each client. */
export interface CallLimiter {
  /** Counts one call of `client` (`ScanClient.address`). */
  take(client: string): { readonly isAllowed: boolean; readonly retryAfterSeconds: number };
}

/** Options of a {@link ForwardingDispatcher}. */
export interface ForwardingOptions {
  /** Whether a method is forwarded (`createAllowList`). */
  readonly isAllowed: (method: string) => boolean;
  readonly batchMax: number;
  /** Counts the calls of a batch except the first, which is counted with the body. Optional. */
  readonly limiter?: CallLimiter | undefined;
  readonly ports: { readonly clock: Clock; readonly logger: Logger };
  readonly observe?: CallObserver;
}

/** A call of a batch and its source text. */
type BatchItem = readonly [Call, string];

/** Classifies bodies like the dispatcher of a ledger node and forwards their calls. */
export class ForwardingDispatcher {
  readonly #options: ForwardingOptions;
  readonly #observe: CallObserver;
  readonly #clock: Clock;
  readonly #forwarder: Forwarder;

  constructor(options: ForwardingOptions, forwarder: Forwarder) {
    this.#options = options;
    this.#observe = options.observe ?? (() => {});
    this.#clock = options.ports.clock;
    this.#forwarder = forwarder;
  }

  /** Answers one body. Never throws or rejects. */
  answerBody(body: string, client: ScanClient): Answer | Promise<Answer> {
    const envelope = readEnvelope(body);
    if (envelope === undefined) {
      this.#observe(undefined, 'refused', 0);
      return writeFailure(parseError(), null);
    }
    if (!isBatch(envelope)) return this.#answerCall(envelope, body, client);
    const { batchMax } = this.#options;
    if (envelope.length > batchMax) return refuseBatch(envelope.length, batchMax);
    const texts = splitItems(body);
    const items = envelope.map((call, at): BatchItem => [call, texts[at] as string]);
    return this.#answerBatch(items, client);
  }

  #answerCall(call: Call, text: string, client: ScanClient): Answer | Promise<Answer> {
    if (call.kind === 'method') return this.#answerMethod(call, text, client);
    if (call.kind !== 'notification') this.#observe(undefined, 'refused', 0);
    return answerNoMethod(call);
  }

  async #answerBatch(items: readonly BatchItem[], client: ScanClient): Promise<Answer> {
    const lastStartAt = this.#clock.now() + BATCH_TIME_MAX_MS;
    const answers = new BatchAnswers();
    const takeCall = this.#countCalls(client);
    try {
      for (const round of roundsOf(items)) {
        const isTooLate = this.#clock.now() > lastStartAt;
        const { isFull } = answers;
        const answerOne = ([call, text]: BatchItem): Answer | Promise<Answer> => {
          if (call.kind !== 'method') return this.#answerCall(call, text, client);
          if (isFull) return answers.refuse(call);
          if (isTooLate) return writeFailure(batchTookTooLong(), call.id);
          return takeCall(call) ?? this.#answerMethod(call, text, client);
        };
        for (const answer of await Promise.all(round.map(answerOne))) answers.add(answer);
      }
      return answers.join();
    } finally {
      answers.release();
    }
  }

  /** Counts the calls of one batch, as the upstream does, and answers those over the limit. */
  #countCalls({ address }: ScanClient): (call: MethodCall) => string | undefined {
    let isFirst = true;
    return ({ id }) => {
      const verdict = isFirst ? undefined : this.#options.limiter?.take(address);
      isFirst = false;
      if (verdict === undefined || verdict.isAllowed) return undefined;
      this.#observe(undefined, 'refused', 0);
      return writeFailure(tooManyRequests(verdict.retryAfterSeconds), id);
    };
  }

  async #answerMethod({ method, id }: MethodCall, text: string, client: ScanClient): Promise<Answer> {
    if (!this.#options.isAllowed(method)) {
      this.#observe(undefined, 'refused', 0);
      return writeFailure(notForwarded(), id);
    }
    const startMs = performance.now();
    try {
      const { answer, isError } = await this.#forwarder.forward({ method, id }, text, client);
      this.#observe(method, isError ? 'refused' : 'ok', performance.now() - startMs);
      return answer;
    } catch (error) {
      this.#observe(method, 'failed', performance.now() - startMs);
      return writeFailure(this.#errorOf(error, method), id);
    }
  }

  #errorOf(error: unknown, method: string): RpcError {
    if (error instanceof RpcError) return error;
    if (error instanceof ClientGone) return nodeBusy();
    if (isServiceError(error)) return ofUpstream(error, isRepeatable(method) || hadNoEffect(error));
    this.#options.ports.logger.error(failureFields(error), 'forwarding failed');
    return internalError();
  }
}

/**
 * Groups the calls of a batch into rounds. Reads of one round run in parallel. A call that may change
 * something runs alone, between the calls before it and those after it.
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

/** Creates the error for a method that the gateway does not forward. */
const notForwarded = (): RpcError =>
  new RpcError(
    METHOD_NOT_FOUND,
    'Method not found',
    'This node does not forward the method; ask its operator to add it to LEDGER_UPSTREAM_METHODS',
  );

/** Creates the error for a call of a batch whose earlier calls took too long. */
const batchTookTooLong = (): RpcError =>
  new RpcError(
    INTERNAL_ERROR,
    'Internal error: the earlier calls of this batch took too long; send this call again',
    {
      reason: 'UPSTREAM_TIMEOUT',
    },
  );

/**
 * Returns the error for an upstream that did not answer properly. `data.reason` is one of the project's own
 * error codes (UPSTREAM_TIMEOUT, ...).
 *
 * @param mayTryAgain false for a call that may have been executed despite the fault.
 */
function ofUpstream({ code, message, context }: ServiceError, mayTryAgain: boolean): RpcError {
  const { retryAfterSeconds } = context;
  const text = mayTryAgain
    ? message
    : 'the upstream may have executed the call; check its effect before sending it again';
  return new RpcError(INTERNAL_ERROR, `Internal error: ${text}`, {
    reason: code,
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
  });
}
