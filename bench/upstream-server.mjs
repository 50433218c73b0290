// What the service is told to take for devnet: a base ledger and a rollup that answer from memory, so that a
// private transfer, which the embedded ledger's programs do not have, can be built over HTTP too. Members come
// in the order of Agave's answers.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { encodeBase58 } from '../dist/solana/base58.js';
import { VALIDATOR } from './build-loop.mjs';
import { MemoryChain } from './memory-chain.mjs';

const chain = new MemoryChain('b');
const context = { apiVersion: '4.2.1', slot: 1_000 };

/** `rentEpoch` of rent-exempt accounts (Agave RENT_EXEMPT_RENT_EPOCH), which no JavaScript number holds. */
const U64_MAX = '18446744073709551615';

/** How long an answer takes on its way, ms: none where nothing is given. */
const AWAY_MS = Number(process.argv[2] ?? 0);

/** How often each method was called. */
const calls = {};

const methods = {
  getIdentity: async () => ({ identity: VALIDATOR }),
  getLatestBlockhash: async () => ({ context, value: latestBlockhash() }),
  getMultipleAccounts: async ([addresses]) => ({
    context,
    value: (await chain.getAccounts(addresses)).map((account) => account && toJson(account)),
  }),
  /** Of the benchmark alone: gives these wallets SOL and USDC. */
  fund: async (owners) => chain.fund(owners),
  /** Of the benchmark alone: how often a method was called. */
  callsOf: async ([method]) => calls[method] ?? 0,
};

/** A ledger goes on: it has another blockhash every 400 ms. */
function latestBlockhash() {
  const height = Math.floor(performance.now() / 400);
  const blockhash = encodeBase58(createHash('sha256').update(`block ${height}`).digest());
  return { blockhash, lastValidBlockHeight: height + 150 };
}

const toJson = ({ lamports, owner, data, executable }) => ({
  data: [Buffer.from(data).toString('base64'), 'base64'],
  executable,
  lamports: Number(lamports),
  owner,
  rentEpoch: U64_MAX,
  space: data.length,
});

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    calls[method] = (calls[method] ?? 0) + 1;
    const result = (await methods[method](params)) ?? null;
    const text = JSON.stringify({ jsonrpc: '2.0', result, id }).replaceAll(`"${U64_MAX}"`, U64_MAX);
    if (AWAY_MS > 0) await setTimeout(AWAY_MS);
    response.setHeader('content-type', 'application/json');
    response.end(text);
  });
});
// Longer than the benchmark is busy between two calls.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`ready ${server.address().port}\n`));
