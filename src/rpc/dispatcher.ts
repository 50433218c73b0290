import { failureFields } from '../errors/failure-fields.ts';
import type { Logger } from '../ports/logger.ts';
import {
  readEnvelope,
  writeFailure,
  writeSuccess,
  writeUnversionedFailure,
  type Call,
  type CallId,
} from './envelope.ts';
import { internalError, invalidRequest, methodNotFound, parseError } from './errors.ts';
import { toRpcError } from './raised-error.ts';
import type { RpcMethod } from './rpc-method.ts';
import type { RpcNode } from './rpc-node.ts';

/**
 * Most calls of one batch by default. Agave has no limit but the size of the body; this one keeps a single request from
 * holding up all others, as the calls of a batch run one after another.
 */
export const BATCH_MAX = 100;

/** What a dispatcher serves. */
export interface DispatcherOptions {
  readonly node: RpcNode;
  readonly methods: readonly RpcMethod[];
  readonly batchMax: number;
  readonly logger: Logger;
}

/** Answers one request body; the empty text when there is nothing to answer. Never throws or rejects. */
export type Dispatcher = (body: string) => string | Promise<string>;

/** A dispatcher that behaves as jsonrpc-core 18 does, which is what Agave answers with. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { node, batchMax, logger } = options;
  const methods = new Map(options.methods.map((method) => [method.name, method]));

  const answerMethod = (call: Extract<Call, { kind: 'method' }>): string | Promise<string> => {
    const method = methods.get(call.method);
    if (method === undefined) return writeFailure(methodNotFound(), call.id);
    try {
      const result = method.call(node, call.params);
      if (!(result instanceof Promise)) return writeSuccess(result, call.id);
      return result
        .then((value) => writeSuccess(value, call.id))
        .catch((error: unknown) => answerError(error, method.name, call.id));
    } catch (error) {
      return answerError(error, method.name, call.id);
    }
  };

  const answerError = (error: unknown, method: string, id: CallId): string => {
    const known = toRpcError(error);
    if (known === undefined) {
      logger.error({ method, ...failureFields(error) }, 'rpc method failed');
    }
    return writeFailure(known ?? internalError(), id);
  };

  const answerCall = (call: Call): string | Promise<string> => {
    switch (call.kind) {
      case 'method':
        return answerMethod(call);
      case 'notification':
        return '';
      case 'unversioned':
        return writeUnversionedFailure(invalidRequest('Unsupported JSON-RPC protocol version'), call.id);
      case 'invalid':
        return writeFailure(invalidRequest(), call.id);
    }
  };

  const answerBatch = async (calls: readonly Call[]): Promise<string> => {
    const answers: string[] = [];
    for (const call of calls) {
      const answer = await answerCall(call);
      if (answer !== '') answers.push(answer);
    }
    return answers.length === 0 ? '' : `[${answers.join(',')}]`;
  };

  return (body) => {
    const envelope = readEnvelope(body);
    if (envelope === undefined) return writeFailure(parseError(), null);
    if (!isBatch(envelope)) return answerCall(envelope);
    if (envelope.length > batchMax) {
      return writeFailure(invalidRequest(`Batch has ${envelope.length} calls; max ${batchMax}`), null);
    }
    return answerBatch(envelope);
  };
}

function isBatch(envelope: Call | readonly Call[]): envelope is readonly Call[] {
  return Array.isArray(envelope);
}
