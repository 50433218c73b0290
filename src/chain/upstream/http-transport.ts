import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { TransportFault, type Transport, type UpstreamAnswer, type UpstreamRequest } from './transport.ts';

/** Open connections per host, and how many idle ones are kept. */
const SOCKETS_MAX = 64;
const IDLE_SOCKETS_MAX = 16;

const AGENT_OPTIONS = { keepAlive: true, maxSockets: SOCKETS_MAX, maxFreeSockets: IDLE_SOCKETS_MAX } as const;

/**
 * The transport over node:http and node:https with keep-alive.
 *
 * @param lookup replaces the system resolver. Literal addresses never pass through it.
 */
export function createHttpTransport(lookup?: LookupFunction): Transport {
  const httpAgent = new HttpAgent(AGENT_OPTIONS);
  const httpsAgent = new HttpsAgent(AGENT_OPTIONS);
  return {
    send: (request) =>
      request.url.protocol === 'https:'
        ? exchange(httpsRequest, request.mayReuseConnection && httpsAgent, request, lookup)
        : exchange(httpRequest, request.mayReuseConnection && httpAgent, request, lookup),
    close: () => {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

function exchange(
  open: typeof httpRequest,
  agent: HttpAgent | false,
  { method, url, body, timeoutMs, answerBytesMax }: UpstreamRequest,
  lookup: LookupFunction | undefined,
): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = open(url, { method, agent, headers: headersOf(body), ...(lookup && { lookup }) });
    // A deadline for the whole exchange: socket timeouts only measure inactivity.
    const deadline = setTimeout(() => outgoing.destroy(new TransportFault('timed-out')), timeoutMs);
    const fail = (fault: TransportFault): void => {
      clearTimeout(deadline);
      reject(fault);
      outgoing.destroy();
    };
    outgoing.on('error', (error) => fail(asFault(error)));
    outgoing.on('response', (incoming) => {
      readAnswer(incoming, answerBytesMax, fail, (answer) => {
        clearTimeout(deadline);
        resolve(answer);
      });
    });
    outgoing.end(body ?? undefined);
  });
}

function headersOf(body: string | null): Record<string, string | number> {
  const accepted = { accept: 'application/json', 'accept-encoding': 'identity' };
  if (body === null) return accepted;
  return { ...accepted, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
}

function readAnswer(
  incoming: IncomingMessage,
  bytesMax: number,
  fail: (fault: TransportFault) => void,
  done: (answer: UpstreamAnswer) => void,
): void {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  if (Number(incoming.headers['content-length'] ?? 0) > bytesMax) fail(new TransportFault('too-large'));
  incoming.on('data', (chunk: Buffer) => {
    byteCount += chunk.length;
    if (byteCount > bytesMax) fail(new TransportFault('too-large'));
    else chunks.push(chunk);
  });
  incoming.on('error', (error) => fail(asFault(error)));
  incoming.on('end', () => {
    if (!incoming.complete) fail(new TransportFault('broken-off'));
    else {
      done({
        status: incoming.statusCode ?? 0,
        retryAfter: incoming.headers['retry-after'] ?? null,
        body: Buffer.concat(chunks, byteCount).toString(),
      });
    }
  });
}

/** System error codes of an established connection that was lost. */
const BROKEN_OFF: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

function asFault(error: NodeJS.ErrnoException): TransportFault {
  if (error instanceof TransportFault) return error;
  const isHalfRead = error.code?.startsWith('HPE_') === true;
  return new TransportFault(
    isHalfRead || BROKEN_OFF.has(error.code) ? 'broken-off' : 'unreachable',
    error.code,
  );
}
