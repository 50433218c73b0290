import { mutateBytes, mutateJson } from './mutations.ts';
import type { RandomSource } from './random-source.ts';

const KEY = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

/** One valid call of each ledger node method. `TRANSACTION` is replaced with a transaction. */
const LEDGER_CALLS: readonly (readonly [method: string, ...params: unknown[]])[] = [
  ['getSlot', { commitment: 'confirmed', minContextSlot: 1 }],
  ['getBlockHeight', {}],
  ['getLatestBlockhash', { commitment: 'processed' }],
  ['isBlockhashValid', KEY, {}],
  ['getMinimumBalanceForRentExemption', 165, { commitment: 'finalized' }],
  ['getTokenLargestAccounts', KEY, { commitment: 'confirmed' }],
  ['getTransaction', SIGNATURE, { encoding: 'json', maxSupportedTransactionVersion: 0 }],
  ['getSignatureStatuses', [SIGNATURE], { searchTransactionHistory: true }],
  ['getAccountInfo', KEY, { encoding: 'jsonParsed', dataSlice: { offset: 1, length: 4 } }],
  ['getBalance', KEY],
  ['getTokenAccountBalance', KEY],
  ['requestAirdrop', KEY, 1_000],
  ['requestTokenAirdrop', KEY, KEY, '1'],
  ['getVersion'],
  ['getHealth'],
  ['getIdentity'],
  ['getGenesisHash'],
  [
    'simulateTransaction',
    'TRANSACTION',
    { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true },
  ],
  [
    'simulateTransaction',
    'TRANSACTION',
    { encoding: 'base64', innerInstructions: true, accounts: { addresses: [KEY], encoding: 'jsonParsed' } },
  ],
  ['sendTransaction', 'TRANSACTION', { encoding: 'base64', skipPreflight: true }],
  ['sendTransaction', 'TRANSACTION', { encoding: 'base64', preflightCommitment: 'processed' }],
];

/** Valid messages to the service. */
const SERVICE_CALLS: readonly object[] = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 'a', method: 'tools/list', params: {} },
  { jsonrpc: '2.0', id: 2, method: 'ping' },
  {
    jsonrpc: '2.0',
    id: 3,
    method: 'tools/call',
    params: {
      name: 'spl.deposit',
      arguments: { owner: KEY, amount: 1, mint: KEY, private: true, initIfMissing: true },
    },
  },
  {
    jsonrpc: '2.0',
    id: 4,
    method: 'tools/call',
    params: { name: 'spl_getBalance', arguments: { address: KEY, mint: KEY } },
  },
  {
    jsonrpc: '2.0',
    id: 5,
    method: 'server/discover',
    params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
  },
];

/** Creates a body for the ledger node: noise, a mutated call, or a call with a mutated transaction. */
export function ledgerBody(transactions: readonly Uint8Array[], random: RandomSource): Uint8Array {
  if (random.below(10) === 0) return random.bytes(random.below(200));
  const [method, ...params] = random.pick(LEDGER_CALLS);
  const wire = mutateBytes(random.pick(transactions), random);
  const filled = params.map((param) =>
    param === 'TRANSACTION' ? Buffer.from(wire).toString('base64') : param,
  );
  const call = { jsonrpc: '2.0', id: random.below(100), method, params: filled };
  const isAboutBytes = params.includes('TRANSACTION') && random.below(3) > 0;
  return encode(isAboutBytes ? call : mutateCall(call, random), random);
}

/** Creates a request body for POST /mcp: noise or a mutated message. */
export function serviceBody(random: RandomSource): Uint8Array {
  if (random.below(10) === 0) return random.bytes(random.below(200));
  return encode(mutateCall(random.pick(SERVICE_CALLS), random), random);
}

/** Mutates a call: mostly its parameters, to reach the method, sometimes the envelope. */
function mutateCall(call: object, random: RandomSource): unknown {
  if (random.below(20) === 0) return [mutateJson(call, random), call];
  if (!('params' in call) || random.below(4) === 0) return mutateJson(call, random);
  let params: unknown = call.params;
  for (let n = random.below(3); n >= 0; n--) params = mutateJson(params, random);
  return { ...call, params };
}

function encode(value: unknown, random: RandomSource): Uint8Array {
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(value) ?? 'null'));
  return random.below(10) === 0 && bytes.length > 0 ? mutateBytes(bytes, random) : bytes;
}
