import { connect, type Socket } from 'node:net';

/** What a burst of requests showed. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Answers that were not 200, or whose body the check refused. */
  readonly failures: number;
  /** Latencies in ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What to send. */
export interface Load {
  readonly port: number;
  readonly path: string;
  /** Bodies, sent in turn. */
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly durationMs: number;
  /** Whether an answer's body is what was asked for; called on every answer. */
  readonly accepts: (body: string) => boolean;
}

/** POSTs JSON on keep-alive connections, one request at a time on each, until the time is over. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const requests = load.bodies.map((body) =>
    Buffer.from(
      `POST ${load.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  );
  const latencies: number[] = [];
  let failures = 0;
  let turn = 0;
  const started = performance.now();
  const deadline = started + load.durationMs;

  const drive = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      let sent = 0;
      let received = '';
      const send = (): void => {
        sent = performance.now();
        socket.write(requests[turn++ % requests.length] as Buffer);
      };
      socket.setEncoding('latin1').setNoDelay(true);
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.on('data', (chunk: string) => {
        received += chunk;
        const answer = takeAnswer(received);
        if (answer === undefined) return;
        received = '';
        const now = performance.now();
        latencies.push(now - sent);
        if (answer.status !== 200 || !load.accepts(answer.body)) failures++;
        if (now < deadline) send();
        else socket.destroy();
      });
      socket.once('connect', send);
    });

  await Promise.all(Array.from({ length: load.connections }, () => drive(connect(load.port, '127.0.0.1'))));
  const seconds = (performance.now() - started) / 1_000;
  latencies.sort((a, b) => a - b);
  const percentile = (share: number): number =>
    latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  return { requests: latencies.length, seconds, failures, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}

/** The first whole answer in what was received: by content-length, or chunked (the SDK of the peer may send that). */
function takeAnswer(received: string): { status: number; body: string } | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.slice(0, headEnd);
  const status = Number(head.slice(9, 12));
  const length = /content-length: (\d+)/i.exec(head);
  if (length === null) {
    return received.endsWith('0\r\n\r\n') ? { status, body: received.slice(headEnd + 4) } : undefined;
  }
  const body = received.slice(headEnd + 4);
  return body.length >= Number(length[1]) ? { status, body } : undefined;
}
