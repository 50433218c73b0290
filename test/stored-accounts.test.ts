import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EmbeddedLedger } from '../src/ledger/embedded-ledger.ts';
import type { Keypair } from '../src/ledger/keypair.ts';
import { LedgerDatabase } from '../src/ledger/store/ledger-database.ts';
import { openLedgerFolder } from '../src/ledger/store/ledger-folder.ts';
import { TAKE_OVER_LIMITS } from '../src/ledger/store/take-over.ts';
import { HandClock } from '../src/ledger/testing/hand-clock.ts';
import { SeededRandom } from '../src/ledger/testing/seeded-random.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../src/ledger/testing/test-ledger.ts';
import { silentLogger } from '../src/ports/logger.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../src/programs/addresses.ts';
import { deriveAta } from '../src/programs/associated-token.ts';
import { transferLamports } from '../src/programs/system.ts';
import type { Dispatcher } from '../src/rpc/dispatcher.ts';
import { dispatcherOn } from '../src/rpc/testing/call-method.ts';
import { ledgerBody } from './fuzz/bodies.ts';
import { RandomSource } from './fuzz/random-source.ts';
import vectors from './vectors/layout-a.json' with { type: 'json' };

/** `STORED_READS=100000 npx vitest run test/stored-accounts.test.ts` for more. */
const REQUESTS = Number(process.env['STORED_READS'] ?? 600);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const WALLETS = 60;
/** So few that nearly every account that is asked for has been forgotten. */
const AT_HAND = { count: 2, bytes: 4_096 };
/** What is committed leaves memory at once. */
const AT_ONCE = { ...TAKE_OVER_LIMITS, bytes: 1, delayMs: 1 };

interface Side {
  readonly world: TestLedger;
  readonly dispatch: Dispatcher;
  readonly wallets: readonly Keypair[];
}

let folder: string;
let sides: readonly [stored: Side, inMemory: Side];

async function open(place: Parameters<typeof openTestLedger>[0]): Promise<Side> {
  const world = await openTestLedger({ ...place, clock: new HandClock() });
  const wallets: Keypair[] = [];
  for (let i = 0; i < WALLETS; i++) {
    const wallet = await world.fundedWallet();
    wallets.push(wallet);
    if (i % 2 === 0) await world.ledger.airdropTokens(wallet.address, USDC_MINT, BigInt(1_000 + i));
  }
  return { world, wallets, dispatch: dispatcherOn(world.ledger) };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spl-stored-'));
  const options = { logger: silentLogger, random: new SeededRandom('salts'), limits: AT_ONCE };
  const store = openLedgerFolder(folder, options);
  sides = [await open({ place: { store }, accountsAtHand: AT_HAND }), await open({})];
}, 300_000);

afterAll(async () => {
  for (const { world } of sides) await world.ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A good call about accounts that are there. */
function goodCall(side: Side, draw: RandomSource): string {
  const { ledger } = side.world;
  const owner = (): string => draw.pick(side.wallets).address;
  const ata = (): string => deriveAta(draw.pick(side.wallets).address, USDC_MINT, TOKEN_PROGRAM).address;
  const encoding = draw.pick(['base64', 'jsonParsed', 'base58']);
  const filters = [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: owner() } }];
  const call = draw.pick<readonly [string, ...unknown[]]>([
    ['getAccountInfo', owner(), { encoding }],
    ['getAccountInfo', ata(), { encoding }],
    ['getBalance', owner()],
    ['getMultipleAccounts', [owner(), ata(), owner(), ata()], { encoding }],
    ['getTokenAccountBalance', ata()],
    ['getTokenSupply', USDC_MINT],
    ['getTokenAccountsByOwner', owner(), { mint: USDC_MINT }, { encoding }],
    ['getTokenLargestAccounts', USDC_MINT],
    ['getProgramAccounts', TOKEN_PROGRAM, { encoding, filters }],
    ['getProgramAccounts', SYSTEM_PROGRAM, { encoding: 'base64', filters: [{ dataSize: draw.below(3) }] }],
    ['simulateTransaction', transferOf(side, draw, ledger), { encoding: 'base64' }],
    ['sendTransaction', transferOf(side, draw, ledger), { encoding: 'base64' }],
    ['requestAirdrop', owner(), 1 + draw.below(1_000_000)],
  ]);
  const [method, ...params] = call;
  return JSON.stringify({ jsonrpc: '2.0', id: draw.below(100), method, params });
}

function transferOf({ wallets }: Side, draw: RandomSource, ledger: EmbeddedLedger): string {
  const [from, to] = [draw.pick(wallets), draw.pick(wallets)];
  const transfer = transferLamports(from.address, to.address, BigInt(1 + draw.below(1_000_000)));
  return Buffer.from(buildTransaction(ledger, [from], [transfer]).wire).toString('base64');
}

/** Lists of accounts are in no order; all else is as it is. */
function inOrder(answer: string): string {
  if (!answer.includes('"pubkey"')) return answer;
  const parsed = JSON.parse(answer) as { result: { pubkey: string }[] | { value: { pubkey: string }[] } };
  const list = Array.isArray(parsed.result) ? parsed.result : parsed.result.value;
  list.sort((a, b) => (a.pubkey < b.pubkey ? -1 : 1));
  return JSON.stringify(parsed);
}

describe('a ledger whose accounts are on the disk, next to nothing of them at hand', () => {
  it(`answers ${REQUESTS} good and hostile requests as one does that has all in memory`, async () => {
    const wires = vectors.cases.map(
      ({ expect: { transaction } }) => new Uint8Array(Buffer.from(transaction, 'base64')),
    );
    const draws = sides.map(() => new RandomSource(SEED)) as [RandomSource, RandomSource];
    const results = { results: 0, errors: 0 };
    const reads = vi.spyOn(LedgerDatabase.prototype, 'account');
    for (let turn = 0; turn < REQUESTS; turn++) {
      const [stored, inMemory] = await Promise.all(
        sides.map(async (side, i) => {
          const draw = draws[i] as RandomSource;
          if (turn % 20 === 0) side.world.clock.pass(400);
          const body =
            draw.below(2) === 0
              ? Buffer.from(ledgerBody(wires, draw)).toString('utf8')
              : goodCall(side, draw);
          return { body, answer: inOrder(await side.dispatch(body)) };
        }),
      );
      expect(stored?.body).toBe(inMemory?.body);
      expect(stored?.answer, stored?.body).toBe(inMemory?.answer);
      if (stored?.answer.includes('"error":{')) results.errors++;
      else results.results++;
    }
    expect(reads.mock.calls.length).toBeGreaterThan(REQUESTS / 2);
    expect(results.results).toBeGreaterThan(REQUESTS / 5);
    expect(results.errors).toBeGreaterThan(REQUESTS / 20);
  }, 3_600_000);
});
