import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InFlight } from './in-flight.ts';

/**
 * Releases a request once the client has received its answer (ended just before) or has gone. Small answers
 * are in the system buffer by then and cost nothing; larger ones count as queued, and a client that reads
 * nothing for a while is disconnected.
 *
 * @param client whom it entered for.
 * @param answerBytes of its body.
 */
export function leaveWhenTaken(
  inFlight: InFlight,
  client: string,
  request: IncomingMessage,
  response: ServerResponse,
  answerBytes: number,
): void {
  const { socket } = request;
  // Not `writableFinished`: since Node 24 that waits for the next turn.
  if (response.writableLength === 0 || socket.destroyed) {
    inFlight.leave(client);
    return;
  }
  const cutWhenStalled = (): void => {
    // The socket's timeout restarts when bytes are read; node:http sets its own after the answer.
    socket.setTimeout(inFlight.writeStallTimeoutMs);
  };
  inFlight.queue(client, answerBytes);
  // A pipelined answer waits for its turn, and so does its timeout.
  if (response.socket === null) response.once('socket', cutWhenStalled);
  else cutWhenStalled();
  let isOver = false;
  const end = (): void => {
    // Both events may fire in one emit, and since Node 24 a removed listener is still called then.
    if (isOver) return;
    isOver = true;
    response.off('close', end);
    socket.off('close', end);
    inFlight.unqueue(client, answerBytes);
    inFlight.leave(client);
  };
  response.on('close', end);
  // A pipelined answer that never had its turn gets no close event. Many may wait on one connection.
  socket.setMaxListeners(0).on('close', end);
}
