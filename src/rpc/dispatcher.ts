import { failureFields } from '../errors/failure-fields.ts';
import { HTTP_LIMITS } from '../http/limits.ts';
import { isTurnOver, nextTurn } from '../http/turn.ts';
import type { Logger } from '../ports/logger.ts';
import { BatchAnswers } from './batch-answers.ts';
import {
  readEnvelope,
  writeFailure,
  writeSuccess,
  writeUnversionedFailure,
  type Call,
  type CallId,
} from './envelope.ts';
import { internalError, invalidRequest, methodNotFound, parseError, type RpcError } from './errors.ts';
import type { JsonOutput } from '../json/json-value.ts';
import { toRpcError } from './raised-error.ts';
import type { RpcMethod } from './rpc-method.ts';
import type { RpcNode } from './rpc-node.ts';

/**
 * Most calls of one batch by default. Agave has no limit but the size of the body; this one bounds what one request may
 * cost. The calls of a batch run one after another and let other requests have their turn in between.
 */
export const BATCH_MAX = 100;

/**
 * How a call went: `refused` is answered with an error that the caller can mend, `failed` with one that says that we
 * could not do our part.
 */
export type CallOutcome = 'ok' | 'refused' | 'failed';

/**
 * Hears of every call that is answered: its method, if that is one of those served, how it went, and how long the method
 * took, ms. On the path of every call: it must be quick and must not throw.
 */
export type CallObserver = (method: string | undefined, outcome: CallOutcome, durationMs: number) => void;

/** What a dispatcher serves. */
export interface DispatcherOptions {
  readonly node: RpcNode;
  readonly methods: readonly RpcMethod[];
  readonly batchMax: number;
  /** Characters of an answer; see `HTTP_LIMITS.answerLengthMax`, which it is when left out. */
  readonly answerLengthMax?: number;
  readonly logger: Logger;
  readonly observe?: CallObserver;
}

/** Answers one request body; the empty text when there is nothing to answer. Never throws or rejects. */
export type Dispatcher = (body: string) => string | Promise<string>;

/** A dispatcher that behaves as jsonrpc-core 18 does, which is what Agave answers with. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { node, batchMax, answerLengthMax = HTTP_LIMITS.answerLengthMax, logger, observe = ignore } = options;
  const methods = new Map(options.methods.map((method) => [method.name, method]));

  const answerMethod = (call: MethodCall): string | Promise<string> => {
    const method = methods.get(call.method);
    if (method === undefined) {
      observe(undefined, 'refused', 0);
      return writeFailure(methodNotFound(), call.id);
    }
    const startMs = performance.now();
    try {
      const result = method.call(node, call.params);
      if (!(result instanceof Promise)) return answerResult(result, method.name, call.id, startMs);
      return result
        .then((value) => answerResult(value, method.name, call.id, startMs))
        .catch((error: unknown) => answerError(error, method.name, call.id, startMs));
    } catch (error) {
      return answerError(error, method.name, call.id, startMs);
    }
  };

  const answerResult = (result: JsonOutput, method: string, id: CallId, startMs: number): string => {
    const answer = tryWriteSuccess(result, id);
    if (answer === undefined || answer.length > answerLengthMax) throw answerTooLong(answerLengthMax);
    observe(method, 'ok', performance.now() - startMs);
    return answer;
  };

  const answerError = (error: unknown, method: string, id: CallId, startMs: number): string => {
    const known = toRpcError(error);
    if (known === undefined) {
      logger.error({ method, ...failureFields(error) }, 'rpc method failed');
    }
    observe(method, known === undefined ? 'failed' : 'refused', performance.now() - startMs);
    return writeFailure(known ?? internalError(), id);
  };

  const answerCall = (call: Call): string | Promise<string> => {
    if (call.kind === 'method') return answerMethod(call);
    if (call.kind !== 'notification') observe(undefined, 'refused', 0);
    return answerNoMethod(call);
  };

  const answerBatch = async (calls: readonly Call[]): Promise<string> => {
    const answers = new BatchAnswers(answerLengthMax);
    try {
      for (const call of calls) {
        if (isTurnOver()) await nextTurn();
        if (answers.isFull && call.kind === 'method') {
          observe(methods.get(call.method)?.name, 'refused', 0);
          answers.add(answers.refuse(call));
        } else answers.add(await answerCall(call));
      }
      return answers.join();
    } finally {
      answers.release();
    }
  };

  return (body) => {
    const envelope = readEnvelope(body);
    if (envelope === undefined) {
      observe(undefined, 'refused', 0);
      return writeFailure(parseError(), null);
    }
    if (!isBatch(envelope)) return answerCall(envelope);
    return envelope.length > batchMax ? refuseBatch(envelope.length, batchMax) : answerBatch(envelope);
  };
}

const ignore: CallObserver = () => {};

/** The answer to a call; undefined when no string can hold it. */
function tryWriteSuccess(result: JsonOutput, id: CallId): string | undefined {
  try {
    return writeSuccess(result, id);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function answerTooLong(lengthMax: number): RpcError {
  return invalidRequest(`The answer would have more than ${lengthMax} characters; ask for less at a time`);
}

/** A call that can be run. */
export type MethodCall = Extract<Call, { kind: 'method' }>;

/** The answer to a call that no method is run for; empty for a notification. */
export function answerNoMethod(call: Exclude<Call, MethodCall>): string {
  switch (call.kind) {
    case 'notification':
      return '';
    case 'unversioned':
      return writeUnversionedFailure(invalidRequest('Unsupported JSON-RPC protocol version'), call.id);
    case 'invalid':
      return writeFailure(invalidRequest(), call.id);
  }
}

/** The answer to a batch of more calls than are taken, none of which is run. */
export function refuseBatch(callCount: number, batchMax: number): string {
  return writeFailure(invalidRequest(`Batch has ${callCount} calls; max ${batchMax}`), null);
}

/** Tells a batch from a call. */
export function isBatch(envelope: Call | readonly Call[]): envelope is readonly Call[] {
  return Array.isArray(envelope);
}
