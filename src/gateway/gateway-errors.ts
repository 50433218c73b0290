import type { ServiceError } from '../errors/service-error.ts';
import { INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError } from '../rpc/errors.ts';

/** A method that a gateway is not set up to forward, whether the upstream has it or not. */
export const notForwarded = (): RpcError =>
  new RpcError(METHOD_NOT_FOUND, 'Method not found', 'This node does not forward the method');

/** A batch whose calls before this one took too long. */
export const batchTookTooLong = (): RpcError =>
  new RpcError(INTERNAL_ERROR, 'Internal error: the calls before this one took too long; send it again', {
    reason: 'UPSTREAM_TIMEOUT',
  });

/**
 * What a caller is told of an upstream that did not answer as it should. `data.reason` is one of the
 * project's own error codes (UPSTREAM_TIMEOUT, ...).
 *
 * @param mayTryAgain false for a call that may have been taken in spite of the fault.
 */
export function ofUpstream({ code, message, context }: ServiceError, mayTryAgain: boolean): RpcError {
  const { retryAfterSeconds } = context;
  const words = mayTryAgain
    ? message
    : 'the upstream may or may not have taken the call; find out before you send it again';
  return new RpcError(INTERNAL_ERROR, `Internal error: ${words}`, {
    reason: code,
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
  });
}
