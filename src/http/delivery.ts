import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InFlight } from './in-flight.ts';
import { HTTP_LIMITS } from './limits.ts';

/**
 * Releases a request once its ended response is delivered or the client disconnects. A small response fits
 * the system buffer and is released immediately. A larger one counts as queued until the client has read it.
 * A client that reads nothing for `writeStallTimeoutMs` is disconnected.
 *
 * @param client the client passed to `tryEnter`.
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
  // Node 24 and later set `writableFinished` one turn later.
  if (response.writableLength === 0 || socket.destroyed) {
    inFlight.leave(client);
    return;
  }
  const cutWhenStalled = (): void => {
    // The timeout restarts when bytes are sent. After the response, node:http sets its own timeout.
    socket.setTimeout(inFlight.writeStallTimeoutMs);
  };
  inFlight.queue(client, answerBytes);
  // A pipelined response has no socket until its turn.
  if (response.socket === null) response.once('socket', cutWhenStalled);
  else cutWhenStalled();
  let isOver = false;
  const end = (): void => {
    // Both events may fire during one emit, and Node 24 and later then still call a removed listener.
    if (isOver) return;
    isOver = true;
    response.off('close', end);
    socket.off('close', end);
    inFlight.unqueue(client, answerBytes);
    inFlight.leave(client);
  };
  response.on('close', end);
  // A pipelined response gets no close event before its turn. Many responses may wait on one connection.
  socket.setMaxListeners(0).on('close', end);
}

const endless = new WeakSet<ServerResponse>();

/** Marks a response as endless, such as an event stream. The server ends it when it drains. */
export function endWithServer(response: ServerResponse): void {
  endless.add(response);
}

/** Whether {@link endWithServer} marked the response. */
export function isEndless(response: ServerResponse): boolean {
  return endless.has(response);
}

/**
 * Ends a response while its request is still arriving. Sends `body`, discards further input, and closes the
 * connection once the client stops sending or after `HTTP_LIMITS.lingerTimeoutMs`. Closing earlier would
 * reset the connection, and most clients would report the reset instead of the response (RFC 9112 section
 * 9.6).
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
