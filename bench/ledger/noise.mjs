// A noisy client in a process, and at an address, of its own: it POSTs one body on each of so many
// connections, again and again until it is told to stop, and does nothing with the answers but count their
// bytes, as reading them would take the core that the quiet client measures on.
import { connect } from 'node:net';

/** Linux has all of 127.0.0.0/8; elsewhere the noise comes from where the quiet client is. */
const LOCAL_ADDRESS = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';

const HEAD_END = Buffer.from('\r\n\r\n');

/** Bytes of the whole answer whose beginning `head` is; 0 while its head has no end. */
function bytesOf(head) {
  const headEnd = head.indexOf(HEAD_END);
  if (headEnd < 0) return 0;
  const length = /content-length: (\d+)/i.exec(head.subarray(0, headEnd).toString('latin1'));
  return headEnd + HEAD_END.length + Number(length[1]);
}

let isOver = false;
let answers = 0;
let refusals = 0;
let bytes = 0;

function drive({ port, body, pipelined }) {
  const one = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const wire = Buffer.from(one);
  const socket = connect({ port, host: '127.0.0.1', localAddress: LOCAL_ADDRESS }).setNoDelay(true);
  let left = 0;
  let begun = Buffer.alloc(0);
  const send = () => (isOver ? socket.destroy() : socket.write(wire));
  socket.on('error', () => socket.destroy());
  socket.once('connect', () => {
    for (let i = 0; i < pipelined; i++) send();
  });
  socket.on('data', (piece) => {
    bytes += piece.length;
    const chunk = begun.length === 0 ? piece : Buffer.concat([begun, piece]);
    begun = Buffer.alloc(0);
    let at = 0;
    while (at < chunk.length) {
      if (left === 0) {
        left = bytesOf(chunk.subarray(at));
        if (left === 0) {
          begun = chunk.subarray(at);
          return;
        }
        answers++;
        // An answer that is an error, or a status other than 200.
        if (!chunk.subarray(at, at + 12).includes('200') || chunk.subarray(at, at + 600).includes('"error"'))
          refusals++;
      }
      const taken = Math.min(left, chunk.length - at);
      at += taken;
      left -= taken;
      if (left === 0) send();
    }
  });
}

process.on('message', (message) => {
  if (message === 'stop') {
    isOver = true;
    process.send({ answers, refusals, bytes }, () => process.exit());
  } else for (let i = 0; i < message.connections; i++) drive({ pipelined: 1, ...message });
});
process.send('ready');
