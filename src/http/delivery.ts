import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InFlight } from './in-flight.ts';

/**
 * Lets a request leave once the client has taken its answer, which was ended just before, or is gone. Small answers are
 * with the system by then and cost nothing more; the others count as queued, and a client that takes nothing of them
 * for a while is cut off.
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
    // The socket's time-out begins again when bytes are taken; node:http sets its own when the answer is through.
    socket.setTimeout(inFlight.writeStallTimeoutMs);
  };
  inFlight.queue(client, answerBytes);
  // Behind other answers of its connection it waits for its turn, and so does its time-out.
  if (response.socket === null) response.once('socket', cutWhenStalled);
  else cutWhenStalled();
  let isOver = false;
  const end = (): void => {
    // Both may come in one go, and what is removed then is still called: since Node 24 they do.
    if (isOver) return;
    isOver = true;
    response.off('close', end);
    socket.off('close', end);
    inFlight.unqueue(client, answerBytes);
    inFlight.leave(client);
  };
  response.on('close', end);
  // An answer that never had its turn is not told that the connection closed. Many may wait on one that is pipelined.
  socket.setMaxListeners(0).on('close', end);
}
