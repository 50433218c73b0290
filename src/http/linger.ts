import type { IncomingMessage, ServerResponse } from 'node:http';
import { HTTP_LIMITS } from './limits.ts';

/**
 * Ends a response while its request is still arriving, so that the client can read the answer. Closing the
 * connection during a write resets it, and most clients then report the reset instead of the answer (RFC 9112
 * section 9.6). So `body` is sent now, further input is discarded, and the connection closes once the client
 * has stopped or after `HTTP_LIMITS.lingerTimeoutMs`.
 *
 * The head must have been written, with `content-length` and `connection: close`.
 */
export function endAfterRequest(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | Buffer,
): void {
  response.write(body);
  const end = (): void => {
    clearTimeout(deadline);
    if (!response.writableEnded) response.end();
  };
  const deadline = setTimeout(end, HTTP_LIMITS.lingerTimeoutMs);
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
