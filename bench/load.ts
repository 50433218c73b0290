import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { OPERATION_LIMITS } from '../src/service/operation-gate.ts';
import { percentile } from './statistics.ts';

/** What a burst of requests showed. */
export interface LoadResult extends Sent {
  readonly requests: number;
  /** CPU time of the server for one of them; connecting is none of it. */
  readonly cpuMicros: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What to send. */
interface Load {
  readonly port: number;
  /** CPU time that the server has used so far, ms. */
  readonly cpuMs: () => number;
  readonly path: string;
  /** Bodies, sent in turn. */
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly durationMs: number;
  /** Whether an answer's body is what was asked for; called on every answer. */
  readonly accepts: (body: string) => boolean;
}

/** An answer, its body in latin1. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A request as it goes over the wire, and whether an answer is what it asked for. */
export interface WireRequest {
  readonly wire: Buffer;
  readonly accepts: (answer: Answer) => boolean;
}

/** What requests that were sent showed. */
interface Sent {
  /** Of every request, ms. */
  readonly latenciesMs: readonly number[];
  /** Answers that were not accepted, and the first of them. */
  readonly failures: number;
  readonly firstFailure?: Answer;
}

/** POSTs JSON on keep-alive connections, one request at a time on each, until the time is over. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const accepts = ({ status, body }: Answer): boolean => status === 200 && load.accepts(body);
  const requests = load.bodies.map((body): WireRequest => ({ wire: postOf(load.path, body), accepts }));
  const sockets = await connectAll(load.port, load.connections);
  let turn = 0;
  const startedMs = performance.now();
  const startedCpuMs = load.cpuMs();
  const deadlineMs = startedMs + load.durationMs;
  const sent = await sendAll(sockets, () =>
    performance.now() < deadlineMs ? requests[turn++ % requests.length] : undefined,
  );
  const { latenciesMs } = sent;
  return {
    ...sent,
    requests: latenciesMs.length,
    cpuMicros: ((load.cpuMs() - startedCpuMs) * 1_000) / latenciesMs.length,
    seconds: (performance.now() - startedMs) / 1_000,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

/** So many connections, all of them open. */
export function connectAll(port: number, connections: number): Promise<Socket[]> {
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true);
    await once(socket, 'connect');
    return socket;
  };
  return Promise.all(Array.from({ length: connections }, open));
}

/** A POST of JSON. */
export function postOf(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const all = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/**
 * Sends requests over open connections, one at a time on each, until `next` has none left, and closes them.
 * No more are under way than the tool service works on at once: of more connections, the one that asked
 * longest ago asks next.
 */
export async function sendAll(
  sockets: readonly Socket[],
  next: () => WireRequest | undefined,
): Promise<Sent> {
  const latenciesMs: number[] = [];
  let failures = 0;
  let firstFailure: Answer | undefined;
  const waiting: (() => void)[] = [];
  const passOn = (): void => waiting.shift()?.();

  const drive = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      const reader = new AnswerReader();
      let request: WireRequest;
      let sentMs = 0;
      const send = (): void => {
        const following = next();
        if (following === undefined) {
          socket.destroy();
          return passOn();
        }
        request = following;
        sentMs = performance.now();
        socket.write(request.wire);
      };
      waiting.push(send);
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.on('data', (chunk: string) => {
        const answer = reader.read(chunk);
        if (answer === undefined) return;
        latenciesMs.push(performance.now() - sentMs);
        if (!request.accepts(answer)) {
          failures++;
          firstFailure ??= answer;
        }
        waiting.push(send);
        passOn();
      });
    });

  const closed = Promise.all(sockets.map(drive));
  for (let underWay = 0; underWay < OPERATION_LIMITS.inFlightMax; underWay++) passOn();
  await closed;
  return { latenciesMs, failures, ...(firstFailure && { firstFailure }) };
}

const END_OF_HEAD = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/**
 * Puts the pieces of one answer after another together: by content-length, or chunked (the peer's SDK may
 * send that).
 */
class AnswerReader {
  #received = '';
  /** Where the body begins, 0 until the head is there, and where it ends, NaN when it is chunked. */
  #bodyAt = 0;
  #endAt = 0;

  /** The answer, once this piece completes it. */
  read(piece: string): Answer | undefined {
    this.#received += piece;
    if (this.#bodyAt === 0 && !this.#readHead()) return undefined;
    const received = this.#received;
    const isWhole = Number.isNaN(this.#endAt)
      ? received.endsWith(LAST_CHUNK)
      : received.length >= this.#endAt;
    if (!isWhole) return undefined;
    const answer = { status: Number(received.slice(9, 12)), body: received.slice(this.#bodyAt) };
    this.#received = '';
    this.#bodyAt = 0;
    return answer;
  }

  #readHead(): boolean {
    const headEnd = this.#received.indexOf(END_OF_HEAD);
    if (headEnd < 0) return false;
    this.#bodyAt = headEnd + END_OF_HEAD.length;
    const length = /content-length: (\d+)/i.exec(this.#received.slice(0, headEnd));
    this.#endAt = length === null ? Number.NaN : this.#bodyAt + Number(length[1]);
    return true;
  }
}
