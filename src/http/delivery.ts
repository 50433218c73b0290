import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InFlight } from './in-flight.ts';
import { HTTP_LIMITS } from './limits.ts';

/**
 * Releases a request once its response, which has just ended, is delivered or the client has disconnected.
 * Small responses already fit the system buffer. Larger ones count as queued, and a client that reads nothing
 * for a while is disconnected.
 *
 * @param client the client that `tryEnter` was called for.
 *
 * @param answerBytes size of the response body.
 */
export function leaveWhenTaken(
  inFlight: InFlight,
  client: string,
  request: IncomingMessage,
  response: ServerResponse,
  answerBytes: number,
): void {
  const { socket } = request;
  // Not `writableFinished`, which Node 24 and later set one turn later.
  if (response.writableLength === 0 || socket.destroyed) {
    inFlight.leave(client);
    return;
  }
  const cutWhenStalled = (): void => {
    // The timeout restarts when bytes are sent. node:http sets its own after the response.
    socket.setTimeout(inFlight.writeStallTimeoutMs);
  };
  inFlight.queue(client, answerBytes);
  // A pipelined response has no socket until its turn.
  if (response.socket === null) response.once('socket', cutWhenStalled);
  else cutWhenStalled();
  let isOver = false;
  const end = (): void => {
    // Both events may fire in one emit, in which Node 24 and later still call a removed listener.
    if (isOver) return;
    isOver = true;
    response.off('close', end);
    socket.off('close', end);
    inFlight.unqueue(client, answerBytes);
    inFlight.leave(client);
  };
  response.on('close', end);
  // A pipelined response that never had its turn gets no close event. Many may wait on one connection.
  socket.setMaxListeners(0).on('close', end);
}

const endless = new WeakSet<ServerResponse>();

/** Marks a response as endless, such as an event stream. A server that drains ends it. */
export function endWithServer(response: ServerResponse): void {
  endless.add(response);
}

/** Whether {@link endWithServer} marked the response. */
export function isEndless(response: ServerResponse): boolean {
  return endless.has(response);
}

/**
 * Ends a response while its request is still arriving. Closing the connection while the client writes would
 * reset it, and most clients then report the reset instead of the response (RFC 9112 section 9.6). So this
 * sends `body`, discards further input, and closes the connection once the client stops or after
 * `HTTP_LIMITS.lingerTimeoutMs`.
 *
 * Write the head first, with `content-length` and `connection: close`.
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
