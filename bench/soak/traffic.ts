import { randomUUID } from 'node:crypto';
import { TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import type { Address } from '../../src/solana/address.ts';
import { rpcText } from '../call.ts';
import { postOf, type WireRequest } from '../load.ts';
import { signPayment } from '../rollup/payer.ts';
import { newWallet } from '../wallet.ts';
import { ataOf, type Residents } from './residents.ts';

/** Requests by the listener that they are for. */
export type Traffic = Readonly<Record<Target, readonly WireRequest[]>>;

export type Target = 'service' | 'ledger' | 'rollup';

/** What requests are made of anew: the newest blockhashes, and a number, from 1, that no leg had before. */
export interface Leg {
  readonly number: number;
  readonly ledgerBlockhash: string;
  readonly rollupBlockhash: string;
}

/** Makes the request with a number among those of its kind, which no other leg has. */
type Maker = (turn: number) => WireRequest;

/** A kind of request: whom it is for and how many of a thousand it is. */
type Kind = readonly [target: Target, perThousand: number, make: Maker];

/** A thousand times so many requests of all kinds, in an order in which no kind comes in a row. */
export function composeTraffic(residents: Residents, leg: Leg, thousands: number): Traffic {
  const traffic = { service: [] as WireRequest[], ledger: [] as WireRequest[], rollup: [] as WireRequest[] };
  const kinds = [...serviceKinds(residents), ...ledgerKinds(residents, leg), ...rollupKinds(residents, leg)];
  const total = kinds.reduce((sum, [, perThousand]) => sum + perThousand, 0);
  if (total !== 1_000) throw new Error(`the kinds are ${total} of a thousand`);
  const entries = kinds.flatMap(([target, perThousand, make]) => {
    const count = perThousand * thousands;
    return Array.from({ length: count }, (_, at) => ({
      target,
      place: (at + 0.5) / count,
      request: make(leg.number * count + at),
    }));
  });
  for (const { target, request } of entries.sort((a, b) => a.place - b.place)) traffic[target].push(request);
  return traffic;
}

/** Payments over MCP and REST, the reads around them, and what is refused. */
function serviceKinds({ wallets, payers, leaver, population }: Residents): Kind[] {
  const wallet = (turn: number): Address => wallets[turn % wallets.length] as Address;
  const payer = (turn: number): Address => payers[turn % payers.length]?.keypair.address as Address;
  /** Half of them have never been seen before. */
  const owner = (turn: number): Address => (turn % 2 === 0 ? wallet(turn / 2) : newWallet());
  const deposit = (turn: number) => ({ owner: owner(turn), amount: 1 + turn });
  const onBase = { mint: USDC_MINT, visibility: 'public', fromBalance: 'base', toBalance: 'base' };
  const transfer = (turn: number) => ({ from: wallet(turn), to: wallet(turn + 1), amount: 1, ...onBase });
  const inRollup = { ...onBase, visibility: 'private', fromBalance: 'ephemeral', toBalance: 'ephemeral' };
  const privateTransfer = (turn: number) => ({
    from: payer(turn),
    to: payer(turn + 1),
    amount: 1,
    ...inRollup,
  });
  const withdrawal = (turn: number) => ({ owner: leaver.keypair.address, mint: USDC_MINT, amount: 1 + turn });
  const balance = (turn: number) => ({ address: owner(turn), mint: USDC_MINT });
  const explained = population.signTransfer(0, wallet(0)).wire;
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  const built = holds(200, '"transactionBase64":"AQAA');
  return [
    ['service', 120, (turn) => tool('spl.deposit', deposit(turn), built)],
    ['service', 60, (turn) => tool('spl.transfer', transfer(turn), built)],
    ['service', 40, (turn) => tool('spl.withdraw', withdrawal(turn), built)],
    ['service', 40, (turn) => tool('spl.getBalance', balance(turn), holds(200, '"balance":"'))],
    ['service', 10, (turn) => tool('spl.undelegate', { payer: payer(turn), mint: USDC_MINT }, built)],
    [
      'service',
      20,
      () =>
        tool(
          'spl.explainTransaction',
          { transactionBase64: Buffer.from(explained).toString('base64') },
          holds(200, '"fullySigned":true'),
        ),
    ],
    ['service', 30, () => mcp('initialize', initialize, holds(200, '"serverInfo"'))],
    ['service', 20, () => mcp('tools/list', undefined, holds(200, '"tools":['))],
    ['service', 120, (turn) => rest('deposit', deposit(turn), built)],
    [
      'service',
      20,
      (turn) => once('deposit', { owner: wallet(first(turn)), amount: 1 }, keyOf(first(turn)), built),
    ],
    ['service', 40, (turn) => rest('transfer', privateTransfer(turn), built)],
    [
      'service',
      20,
      (turn) => read(`balance?address=${owner(turn)}&mint=${USDC_MINT}`, holds(200, '"balance":"')),
    ],
    [
      'service',
      20,
      (turn) => read(`private-balance?address=${owner(turn)}&mint=${USDC_MINT}`, holds(200, '"balance":"')),
    ],
    ['service', 10, (turn) => read(`challenge?pubkey=${wallet(turn)}`, holds(200, '"challenge"'))],
    ['service', 10, () => tool('spl.deposit', { owner: 'nobody', amount: 1 }, holds(200, '"isError":true'))],
    [
      'service',
      10,
      (turn) => rest('deposit', { owner: wallet(turn), amount: 0 }, holds(422, 'INVALID_ARGUMENTS')),
    ],
    ['service', 5, () => tool('spl.nothing', {}, holds(200, 'Unknown tool'))],
    [
      'service',
      5,
      () => ({ wire: postOf('/mcp', '{"jsonrpc":"2.0","id":1'), accepts: holds(400, '-32700') }),
    ],
    ['service', 5, () => read('nothing', holds(404, 'NOT_FOUND'))],
  ];
}

/** Reads, simulations and transactions on the base ledger. */
function ledgerKinds({ population, wallets }: Residents, { ledgerBlockhash }: Leg): Kind[] {
  const wallet = (turn: number): Address => wallets[turn % wallets.length] as Address;
  const signed = (turn: number): string =>
    Buffer.from(population.signTransfer(turn, ledgerBlockhash).wire).toString('base64');
  const encoding = 'base64';
  const ofProgram = { programId: TOKEN_PROGRAM };
  const holder = (turn: number) => [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: wallet(turn) } }];
  const found = holds(200, '"base64"]');
  return [
    ['ledger', 60, () => rpc('getSlot', [], holds(200, '"result":'))],
    ['ledger', 80, (turn) => rpc('getAccountInfo', [ataOf(wallet(turn)), { encoding }], found)],
    [
      'ledger',
      15,
      (turn) => rpc('getMultipleAccounts', [[wallet(turn), ataOf(wallet(turn))], { encoding }], found),
    ],
    ['ledger', 20, (turn) => rpc('getTokenAccountsByOwner', [wallet(turn), ofProgram, { encoding }], found)],
    [
      'ledger',
      5,
      (turn) => rpc('getProgramAccounts', [TOKEN_PROGRAM, { encoding, filters: holder(turn) }], found),
    ],
    ['ledger', 20, () => rpc('getLatestBlockhash', [], holds(200, '"blockhash":"'))],
    // Numbers that none of those that are sent has.
    [
      'ledger',
      60,
      (turn) =>
        rpc('simulateTransaction', [signed(1_000_000 + turn), { encoding }], holds(200, '"err":null')),
    ],
    ['ledger', 20, (turn) => rpc('sendTransaction', [signed(turn), { encoding }], holds(200, '"result":"'))],
    [
      'ledger',
      10,
      (turn) => rpc('getSignaturesForAddress', [wallet(turn), { limit: 10 }], holds(200, '"result":[')),
    ],
    ['ledger', 10, () => rpc('getAccountInfo', ['nobody'], holds(200, '-32602'))],
    ['ledger', 5, () => rpc('getNothing', [], holds(200, '-32601'))],
  ];
}

/** Reads and payments on the rollup. */
function rollupKinds({ payers }: Residents, { rollupBlockhash }: Leg): Kind[] {
  const paid = (turn: number): string => {
    const [from, to] = [payers[turn % payers.length], payers[(turn + 1) % payers.length]];
    if (from === undefined || to === undefined) throw new Error('nobody pays');
    // Everybody gets what he gives, but for one unit in a round.
    return signPayment(from, to, 1 + Math.floor(turn / payers.length), rollupBlockhash);
  };
  const encoding = 'base64';
  return [
    ['rollup', 20, () => rpc('getSlot', [], holds(200, '"result":'))],
    ['rollup', 30, () => rpc('getAccountInfo', [USDC_MINT, { encoding }], holds(200, '"base64"]'))],
    ['rollup', 20, () => rpc('getLatestBlockhash', [], holds(200, '"blockhash":"'))],
    ['rollup', 10, (turn) => rpc('sendTransaction', [paid(turn), { encoding }], holds(200, '"result":"'))],
    ['rollup', 10, () => rpc('getAccountInfo', ['nobody'], holds(200, '-32602'))],
  ];
}

type Accepts = WireRequest['accepts'];

const holds =
  (status: number, text: string): Accepts =>
  (answer) =>
    answer.status === status && answer.body.includes(text);

const rpc = (method: string, params: readonly unknown[], accepts: Accepts): WireRequest => ({
  wire: postOf('/', rpcText(method, params)),
  accepts,
});

const mcp = (method: string, params: object | undefined, accepts: Accepts): WireRequest => ({
  wire: postOf('/mcp', rpcText(method, params)),
  accepts,
});

const tool = (name: string, args: object, accepts: Accepts): WireRequest =>
  mcp('tools/call', { name, arguments: args }, accepts);

const rest = (operation: string, args: object, accepts: Accepts): WireRequest => ({
  wire: postOf(`/v1/spl/${operation}`, JSON.stringify(args)),
  accepts,
});

const once = (operation: string, args: object, key: string, accepts: Accepts): WireRequest => ({
  wire: postOf(`/v1/spl/${operation}`, JSON.stringify(args), { 'idempotency-key': key }),
  accepts,
});

const read = (path: string, accepts: Accepts): WireRequest => ({
  wire: Buffer.from(`GET /v1/spl/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`),
  accepts,
});

/** Every other request repeats one that was answered before it: same key, same arguments. */
const REPEATED_AFTER = 101;
const first = (turn: number): number => (turn % 2 === 0 ? turn : turn - REPEATED_AFTER);

const RUN = randomUUID();
const keyOf = (turn: number): string => `${RUN}-${turn}`;
