import { failureFields } from '../errors/failure-fields.ts';
import { HTTP_LIMITS } from '../http/limits.ts';
import { isTurnOver, nextTurn } from '../http/turn.ts';
import type { JsonOutput } from '../json/write-json.ts';
import type { Logger } from '../ports/logger.ts';
import { BatchAnswers } from './batch-answers.ts';
import {
  type Answer,
  type Call,
  type CallId,
  readEnvelope,
  writeFailure,
  writeLongSuccess,
  writeSuccess,
  writeUnversionedFailure,
} from './envelope.ts';
import {
  answerTooLong,
  internalError,
  invalidRequest,
  methodNotFound,
  parseError,
  type RpcError,
  toRpcError,
} from './errors.ts';
import type { RpcMethod, RpcNode } from './rpc-method.ts';
import { Scan } from './scan/scan.ts';
import { ClientGone, processScans, type ScanClient, type Scans } from './scan/scans.ts';

/** Default maximum number of calls per batch. It limits the cost of a request. Agave limits only bytes. */
export const BATCH_MAX = 100;

/** The outcome of a call: `refused` is an error the caller can fix, `failed` an internal error. */
type CallOutcome = 'ok' | 'refused' | 'failed';

/**
 * Listener to call after every call with its method (if it is served), its outcome and its duration, in ms.
 * It must be fast and must not throw.
 */
export type CallObserver = (method: string | undefined, outcome: CallOutcome, durationMs: number) => void;

/** An answered call, as passed to listeners. */
interface AnsweredCall {
  /** The name of the method; undefined if the node does not serve it. */
  readonly method: string | undefined;
  readonly params: unknown;
  /** The error code; null for a result. */
  readonly code: number | null;
  readonly durationMs: number;
  /** The request body; null for a call of a batch. */
  readonly body: string | null;
  readonly answer: Answer;
  readonly client: ScanClient;
}

/** Listener to call after every call. It must be fast and must not throw. */
export type CallListener = (call: AnsweredCall) => void;

/** Options of {@link createDispatcher}. */
export interface DispatcherOptions<Node = RpcNode> {
  readonly node: Node;
  readonly methods: readonly RpcMethod<Node>[];
  readonly batchMax: number;
  /** Maximum length of an answer, in characters; default `HTTP_LIMITS.answerLengthMax`. */
  readonly answerLengthMax?: number;
  readonly logger: Logger;
  readonly observe?: CallObserver;
  /** Listener to call after every call. Optional. */
  readonly onCall?: CallListener;
  /** Runs scans. Default: the scans of the process. */
  readonly scans?: Scans;
}

/** Answers a request body for a client (see {@link Dispatcher}). */
export type ClientDispatcher = (body: string, client: ScanClient) => Answer | Promise<Answer>;

/**
 * Answers a request body. Returns the empty string if there is nothing to answer. Never throws or rejects.
 * Callers that pass a client get long answers in pieces. The answer to a disconnected client is arbitrary.
 */
export interface Dispatcher extends ClientDispatcher {
  (body: string): string | Promise<string>;
}

/** Creates a dispatcher that behaves like jsonrpc-core 18, which Agave uses. */
export function createDispatcher<Node>(options: DispatcherOptions<Node>): Dispatcher {
  const { batchMax, answerLengthMax = HTTP_LIMITS.answerLengthMax, observe = ignore } = options;
  const methods: Methods<Node> = new Map(options.methods.map((method) => [method.name, method]));
  const answerMethod = createCallRunner(options, methods);

  const answerCall = (call: Call, client: ScanClient, body: string | null): Answer | Promise<Answer> => {
    if (call.kind === 'method') return answerMethod(call, client, body);
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
        } else answers.add(await answerCall(call, client, null));
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
    if (!isBatch(envelope)) return answerCall(envelope, client, body);
    return envelope.length > batchMax
      ? refuseBatch(envelope.length, batchMax)
      : answerBatch(envelope, client);
  };

  return inPiecesFor(answerBody);
}

type Methods<Node> = ReadonlyMap<string, RpcMethod<Node>>;

/** Runs one call and turns an error into an answer. `body` is null in a batch. */
type CallRunner = (call: MethodCall, client: ScanClient, body: string | null) => Answer | Promise<Answer>;

function createCallRunner<Node>(options: DispatcherOptions<Node>, methods: Methods<Node>): CallRunner {
  const { node, answerLengthMax = HTTP_LIMITS.answerLengthMax, logger, observe = ignore } = options;
  const { scans = processScans, onCall } = options;

  return (call, client, body) => {
    const method = methods.get(call.method);
    const startMs = performance.now();
    const finish = (answer: Answer, outcome: CallOutcome, code: number | null): Answer => {
      const durationMs = performance.now() - startMs;
      observe(method?.name, outcome, durationMs);
      onCall?.({ method: method?.name, params: call.params, code, durationMs, body, answer, client });
      return answer;
    };
    const succeed = (answer: Answer): Answer => finish(answer, 'ok', null);
    const fail = (error: unknown): Answer => {
      const known = error instanceof ClientGone ? clientGone() : toRpcError(error);
      if (known === undefined) {
        logger.error({ method: call.method, ...failureFields(error) }, 'rpc method failed');
      }
      const rpcError = known ?? internalError();
      const outcome = known === undefined ? 'failed' : 'refused';
      return finish(writeFailure(rpcError, call.id), outcome, rpcError.code);
    };
    const write = (result: JsonOutput | Scan): Answer | Promise<Answer> => {
      const value = result instanceof Scan ? scans.run(result, answerLengthMax, client) : result;
      if (!(value instanceof Promise)) return succeed(writeAnswer(value, call.id, answerLengthMax));
      return value.then((written) => succeed(writeLongAnswer(written, call.id, answerLengthMax)));
    };
    if (method === undefined) return fail(methodNotFound());
    try {
      const result = method.call(node, call.params);
      const answer = result instanceof Promise ? result.then(write) : write(result);
      return answer instanceof Promise ? answer.catch(fail) : answer;
    } catch (error) {
      return fail(error);
    }
  };
}

/** Creates the answer to a disconnected client, which never reads it. */
const clientGone = (): RpcError => invalidRequest('The client is gone');

/** The client of callers in this process. It waits for every answer. */
const IN_PROCESS_CLIENT: ScanClient = { address: 'this process', isGone: () => false };

function inPiecesFor(answerBody: (body: string, client: ScanClient) => Answer | Promise<Answer>): Dispatcher {
  function dispatch(body: string): string | Promise<string>;
  function dispatch(body: string, client: ScanClient): Answer | Promise<Answer>;
  function dispatch(body: string, client?: ScanClient): Answer | Promise<Answer> {
    if (client !== undefined) return answerBody(body, client);
    const answer = answerBody(body, IN_PROCESS_CLIENT);
    return answer instanceof Promise ? answer.then(String) : String(answer);
  }
  return dispatch;
}

const ignore: CallObserver = () => {};

/** @throws {RpcError} -32600 if the answer exceeds `lengthMax` characters or the longest possible string. */
function writeAnswer(result: JsonOutput, id: CallId, lengthMax: number): string {
  const answer = tryWriteSuccess(result, id);
  if (answer === undefined || answer.length > lengthMax) throw answerTooLong(lengthMax);
  return answer;
}

function writeLongAnswer(result: JsonOutput, id: CallId, lengthMax: number): Answer {
  const answer = writeLongSuccess(result, id);
  if (answer.length > lengthMax) throw answerTooLong(lengthMax);
  return answer.isShort ? answer.toString() : answer;
}

/** Writes the answer to a call. Returns undefined if the answer exceeds the longest possible string. */
function tryWriteSuccess(result: JsonOutput, id: CallId): string | undefined {
  try {
    return writeSuccess(result, id);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A call to a method. */
export type MethodCall = Extract<Call, { kind: 'method' }>;

/** Returns the answer to a call that cannot run; empty for a notification. */
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

/** Returns the answer to a batch with too many calls. None of the calls runs. */
export function refuseBatch(callCount: number, batchMax: number): string {
  return writeFailure(invalidRequest(`Batch has ${callCount} calls; max ${batchMax}`), null);
}

/** Whether a body is a batch. */
export function isBatch(envelope: Call | readonly Call[]): envelope is readonly Call[] {
  return Array.isArray(envelope);
}
