import type { IncomingMessage, ServerResponse } from 'node:http';
import { HTTP_LIMITS } from './limits.ts';

/**
 * Ends a response whose request is still being sent, so that the client gets to read the answer. A connection closed
 * under a client's writes is reset, and most clients then report the reset instead of the answer (RFC 9112 section
 * 9.6). So `body` goes out now, what still arrives is read into nothing, and the connection closes once the client has
 * stopped or `HTTP_LIMITS.lingerTimeoutMs` have passed.
 *
 * The head must have been written, with `content-length` and `connection: close`.
 */
export function endAfterRequest(request: IncomingMessage, response: ServerResponse, body: string): void {
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
