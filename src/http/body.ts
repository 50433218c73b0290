import type { IncomingMessage } from 'node:http';

/** Reason why a body cannot be read: it is compressed or too large, or the client disconnected. */
export type BodyFault = 'encoded' | 'too-large' | 'aborted';

/** Name and value of a header in the response to a compressed body (RFC 9110 section 15.5.16). */
export const ACCEPTED_ENCODING: readonly string[] = ['accept-encoding', 'identity'];

/**
 * Reads a request body of at most `bytesMax` bytes and calls `done` once. Rejects a compressed body without
 * reading it. Stops reading a body that is too large; use `endAfterRequest` to respond to it.
 */
export function readBody(
  request: IncomingMessage,
  bytesMax: number,
  done: (body: Buffer | undefined, fault: BodyFault | undefined) => void,
): void {
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    done(undefined, 'encoded');
    return;
  }
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > bytesMax) {
    done(undefined, 'too-large');
    return;
  }
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let size = 0;
  let open = true;
  const finish = (body: Buffer | undefined, fault: BodyFault | undefined): void => {
    if (!open) return;
    open = false;
    done(body, fault);
  };
  request.on('data', (chunk: Buffer) => {
    if (!open) return;
    size += chunk.length;
    if (size > bytesMax) {
      request.pause();
      finish(undefined, 'too-large');
    } else if (first === undefined) first = chunk;
    else (rest ??= []).push(chunk);
  });
  request.on('end', () => {
    finish(
      rest === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat([first as Buffer, ...rest]),
      undefined,
    );
  });
  request.on('close', () => finish(undefined, 'aborted'));
  request.on('error', () => finish(undefined, 'aborted'));
}
