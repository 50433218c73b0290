// The floor of telling many: a bare ws server that sends what is posted to it to everybody who is connected.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

// The version the ledger node has: what the benchmark compares with brings another one.
const { WebSocketServer } = createRequire(new URL('../../package.json', import.meta.url))('ws');

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    for (const client of sockets.clients) client.send(text);
    response.end();
  });
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
server.listen(0, '127.0.0.1', () => process.stdout.write(`ready ${server.address().port}\n`));
