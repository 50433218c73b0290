// What the service is told to take for devnet: a base ledger and a rollup that answer from memory, so that a
// private transfer, which the embedded ledger's programs do not have, can be built over HTTP too.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { encodeBase58 } from '../dist/solana/base58.js';
import { VALIDATOR } from './build-loop.mjs';
import { MemoryChain } from './memory-chain.mjs';

const chain = new MemoryChain('b');
const context = { slot: 1_000 };

const methods = {
  getIdentity: async () => ({ identity: VALIDATOR }),
  getLatestBlockhash: async () => ({ context, value: latestBlockhash() }),
  getMultipleAccounts: async ([addresses]) => ({
    context,
    value: (await chain.getAccounts(addresses)).map((account) => account && toJson(account)),
  }),
  /** Of the benchmark alone: gives these wallets SOL and USDC. */
  fund: async (owners) => chain.fund(owners),
};

/** A ledger goes on: it has another blockhash every 400 ms. */
function latestBlockhash() {
  const height = Math.floor(performance.now() / 400);
  const blockhash = encodeBase58(createHash('sha256').update(`block ${height}`).digest());
  return { blockhash, lastValidBlockHeight: height + 150 };
}

const toJson = ({ lamports, owner, data, executable }) => ({
  lamports: Number(lamports),
  owner,
  data: [Buffer.from(data).toString('base64'), 'base64'],
  executable,
  rentEpoch: 0,
});

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    const result = (await methods[method](params)) ?? null;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`ready ${server.address().port}\n`));
