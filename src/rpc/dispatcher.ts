import { failureFields } from '../errors/failure-fields.ts';
import { HTTP_LIMITS } from '../http/limits.ts';
import { isTurnOver, nextTurn } from '../http/turn.ts';
import type { Logger } from '../ports/logger.ts';
import type { Answer } from './answer.ts';
import { BatchAnswers } from './batch-answers.ts';
import {
  readEnvelope,
  writeFailure,
  writeLongSuccess,
  writeSuccess,
  writeUnversionedFailure,
  type Call,
  type CallId,
} from './envelope.ts';
import {
  answerTooLong,
  internalError,
  invalidRequest,
  methodNotFound,
  parseError,
  type RpcError,
} from './errors.ts';
import type { JsonOutput } from '../json/json-value.ts';
import { toRpcError } from './raised-error.ts';
import type { RpcMethod } from './rpc-method.ts';
import type { RpcNode } from './rpc-node.ts';
import { Scan } from './scan/scan.ts';
import { ClientGone, processScans, type ScanClient, type Scans } from './scan/scans.ts';

/**
 * Most calls of one batch by default. Agave has no limit but the size of the body; this one bounds what one
 * request may cost. The calls of a batch run one after another and let other requests have their turn in
 * between.
 */
export const BATCH_MAX = 100;

/** How a call ended: `refused` with an error the caller can fix, `failed` with one that is ours. */
type CallOutcome = 'ok' | 'refused' | 'failed';

/**
 * Called for every answered call with its method (if it is a served one), its outcome and its duration, ms.
 * It is on the path of every call: it must be fast and must not throw.
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
  /** Runs the results that may take long; by default those of the process. */
  readonly scans?: Scans;
}

/** What of a {@link Dispatcher} a client's requests need. */
export type ClientDispatcher = (body: string, client: ScanClient) => Answer | Promise<Answer>;

/**
 * Answers one request body; the empty text when there is nothing to answer. Never throws or rejects. Who says
 * who the client is gets long answers in pieces; once the client is gone, what is under way for it may end
 * with any answer.
 */
export interface Dispatcher extends ClientDispatcher {
  (body: string): string | Promise<string>;
}

/** A dispatcher that behaves as jsonrpc-core 18 does, which is what Agave answers with. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { batchMax, answerLengthMax = HTTP_LIMITS.answerLengthMax, observe = ignore } = options;
  const methods: Methods = new Map(options.methods.map((method) => [method.name, method]));
  const answerMethod = createCallRunner(options, methods);

  const answerCall = (call: Call, client: ScanClient): Answer | Promise<Answer> => {
    if (call.kind === 'method') return answerMethod(call, client);
    if (call.kind !== 'notification') observe(undefined, 'refused', 0);
    return answerNoMethod(call);
  };

  const answerBatch = async (calls: readonly Call[], client: ScanClient): Promise<Answer> => {
    const answers = new BatchAnswers(answerLengthMax);
    try {
      for (const call of calls) {
        if (isTurnOver()) await nextTurn(client.address);
        if (answers.isFull && call.kind === 'method') {
          observe(methods.get(call.method)?.name, 'refused', 0);
          answers.add(answers.refuse(call));
        } else answers.add(await answerCall(call, client));
      }
      return answers.join();
    } finally {
      answers.release();
    }
  };

  const answerBody = (body: string, client: ScanClient): Answer | Promise<Answer> => {
    const envelope = readEnvelope(body);
    if (envelope === undefined) {
      observe(undefined, 'refused', 0);
      return writeFailure(parseError(), null);
    }
    if (!isBatch(envelope)) return answerCall(envelope, client);
    return envelope.length > batchMax
      ? refuseBatch(envelope.length, batchMax)
      : answerBatch(envelope, client);
  };

  return inPiecesFor(answerBody);
}

type Methods = ReadonlyMap<string, RpcMethod>;

/** Runs one call. An error it throws becomes the answer. */
type CallRunner = (call: MethodCall, client: ScanClient) => Answer | Promise<Answer>;

function createCallRunner(options: DispatcherOptions, methods: Methods): CallRunner {
  const { node, answerLengthMax = HTTP_LIMITS.answerLengthMax, logger, observe = ignore } = options;
  const { scans = processScans } = options;

  const answerError = (error: unknown, method: string, id: CallId, startMs: number): string => {
    const known = error instanceof ClientGone ? clientGone() : toRpcError(error);
    if (known === undefined) {
      logger.error({ method, ...failureFields(error) }, 'rpc method failed');
    }
    observe(method, known === undefined ? 'failed' : 'refused', performance.now() - startMs);
    return writeFailure(known ?? internalError(), id);
  };

  return (call, client) => {
    const method = methods.get(call.method);
    if (method === undefined) {
      observe(undefined, 'refused', 0);
      return writeFailure(methodNotFound(), call.id);
    }
    const startMs = performance.now();
    const answered = (answer: Answer): Answer => {
      observe(method.name, 'ok', performance.now() - startMs);
      return answer;
    };
    const finish = (result: JsonOutput | Scan): Answer | Promise<Answer> => {
      if (!(result instanceof Scan)) return answered(writeAnswer(result, call.id, answerLengthMax));
      const made = scans.run(result, answerLengthMax, client);
      if (!(made instanceof Promise)) return answered(writeAnswer(made, call.id, answerLengthMax));
      return made.then((value) => answered(writeLongAnswer(value, call.id, answerLengthMax)));
    };
    const fail = (error: unknown): string => answerError(error, method.name, call.id, startMs);
    try {
      const result = method.call(node, call.params);
      const answer = result instanceof Promise ? result.then(finish) : finish(result);
      return answer instanceof Promise ? answer.catch(fail) : answer;
    } catch (error) {
      return fail(error);
    }
  };
}

/** Nobody reads it. */
const clientGone = (): RpcError => invalidRequest('The client is gone');

/** Somebody in this process, who waits for every answer. */
const STAYING: ScanClient = { address: 'this process', isGone: () => false };

function inPiecesFor(answerBody: (body: string, client: ScanClient) => Answer | Promise<Answer>): Dispatcher {
  function dispatch(body: string): string | Promise<string>;
  function dispatch(body: string, client: ScanClient): Answer | Promise<Answer>;
  function dispatch(body: string, client?: ScanClient): Answer | Promise<Answer> {
    if (client !== undefined) return answerBody(body, client);
    const answer = answerBody(body, STAYING);
    return answer instanceof Promise ? answer.then(String) : String(answer);
  }
  return dispatch;
}

const ignore: CallObserver = () => {};

/** @throws {RpcError} -32600 when it is longer than `lengthMax` characters, or than any string. */
function writeAnswer(result: JsonOutput, id: CallId, lengthMax: number): string {
  const answer = tryWriteSuccess(result, id);
  if (answer === undefined || answer.length > lengthMax) throw answerTooLong(lengthMax);
  return answer;
}

/** {@link writeAnswer} for a result that was long to make. */
function writeLongAnswer(result: JsonOutput, id: CallId, lengthMax: number): Answer {
  const answer = writeLongSuccess(result, id);
  if (answer.length > lengthMax) throw answerTooLong(lengthMax);
  return answer.isShort ? answer.toString() : answer;
}

/** The answer to a call; undefined when no string can hold it. */
function tryWriteSuccess(result: JsonOutput, id: CallId): string | undefined {
  try {
    return writeSuccess(result, id);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A call that can be run. */
export type MethodCall = Extract<Call, { kind: 'method' }>;

/** The answer to a call without a method to run; empty for a notification. */
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

/** The answer to a batch with too many calls, none of which is run. */
export function refuseBatch(callCount: number, batchMax: number): string {
  return writeFailure(invalidRequest(`Batch has ${callCount} calls; max ${batchMax}`), null);
}

/** Whether a body is a batch. */
export function isBatch(envelope: Call | readonly Call[]): envelope is readonly Call[] {
  return Array.isArray(envelope);
}
