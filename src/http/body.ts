import type { IncomingMessage } from 'node:http';

/** Why the body cannot be read: it is compressed, over the limit, or the client closed the connection. */
export type BodyFault = 'encoded' | 'too-large' | 'aborted';

/** Header of the response to a compressed body (RFC 9110 section 15.5.16): name, value. */
export const ACCEPTED_ENCODING: readonly string[] = ['accept-encoding', 'identity'];

/**
 * Reads the body of a request, at most `bytesMax` bytes, and calls `done` once. Does not read a compressed
 * body, and stops reading a body that is too large: respond to that one with `endAfterRequest`.
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
