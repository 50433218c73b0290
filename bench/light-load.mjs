// A load generator that costs as little as Node allows, in a process of its own: it POSTs what the parent
// says on keep-alive connections, one request at a time on each, and looks at each answer's status, length
// and a mark in it.
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const OK = Buffer.from('HTTP/1.1 200');
const LENGTH = Buffer.from('content-length: ');

/** Where a whole answer ends; -1 while it does not. */
function endOf(bytes) {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return -1;
  const at = bytes.indexOf(LENGTH) + LENGTH.length;
  let length = 0;
  for (let i = at; bytes[i] >= 48; i++) length = length * 10 + bytes[i] - 48;
  const end = headEnd + 4 + length;
  return bytes.length >= end ? end : -1;
}

function run({ port, path, bodies, mark, connections, durationMs }) {
  const requests = bodies.map((body) =>
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  );
  let turn = 0;
  let answered = 0;
  let failures = 0;
  const started = performance.now();
  const deadline = started + durationMs;
  const drive = () =>
    new Promise((resolve, reject) => {
      let received = null;
      const socket = connect(port, '127.0.0.1');
      const send = () => socket.write(requests[turn++ % requests.length]);
      socket.setNoDelay(true);
      socket.once('connect', send).once('error', reject).once('close', resolve);
      socket.on('data', (chunk) => {
        received = received === null ? chunk : Buffer.concat([received, chunk]);
        if (endOf(received) < 0) return;
        answered++;
        if (received.compare(OK, 0, OK.length, 0, OK.length) !== 0 || !received.includes(mark)) failures++;
        received = null;
        if (performance.now() < deadline) send();
        else socket.destroy();
      });
    });
  const used = process.cpuUsage();
  return Promise.all(Array.from({ length: connections }, drive)).then(() => {
    const { user, system } = process.cpuUsage(used);
    const seconds = (performance.now() - started) / 1_000;
    return { requests: answered, failures, seconds, cpuMs: (user + system) / 1_000 };
  });
}

process.on('message', (load) => run(load).then((result) => process.send(result)));
