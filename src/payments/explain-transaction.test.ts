import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  delegationRecordData,
  MapChain,
  MapRollup,
  mintData,
  mintDataOf,
  tokenAccountData,
} from '../../test/ports/map-chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { LedgerChain } from '../ledger/ledger-chain.ts';
import { SeededRandom } from '../ledger/testing/seeded-random.ts';
import { buildTransaction, openTestLedger } from '../ledger/testing/test-ledger.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  DELEGATION_PROGRAM,
  LOCALNET_VALIDATOR,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { deriveDelegationRecord } from '../programs/delegation/pdas.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import { concat, u32, u64, u8 } from '../programs/instruction-data.ts';
import { transferLamports } from '../programs/system.ts';
import { transferTokens } from '../programs/token/instructions.ts';
import { RENT_EXEMPT_EPOCH } from '../solana/account.ts';
import { type Address, addressBytes, addressOf, isAddress } from '../solana/address.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../solana/message.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import { createDeposit } from './deposit.ts';
import { createExplainTransaction } from './explain-transaction.ts';
import type { Explanation } from './explain/answer/explanation-schema.ts';
import { key } from './explain/testing/explain-instructions.ts';
import {
  requestArguments,
  VECTOR_TRANSACTIONS,
  type VectorTransaction,
  vectorV0,
} from './explain/testing/vector-transactions.ts';
import { createInitializeMint } from './initialize-mint.ts';
import { ANONYMOUS, type Operation } from './operation.ts';
import { createStealthPool } from './stealth-pool.ts';
import { createTransfer } from './transfer.ts';
import { readyChain } from './transfer/testing/ready-chain.ts';
import { FROM, SPONSOR, TO, VALIDATOR } from './transfer/testing/transfer-scene.ts';
import { createUndelegate } from './undelegate.ts';
import { createWithdraw } from './withdraw.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

let chain: MapChain;

beforeEach(() => {
  chain = new MapChain();
  chain.network = 'mainnet';
});

/** The one of each chain without a sponsor: its operations take longer to make than most explanations. */
const explainers = new WeakMap<MapChain | LedgerChain, ReturnType<typeof makeExplainer>>();

function explainerOf(on: MapChain | LedgerChain, sponsor: Address | null) {
  if (sponsor !== null) return makeExplainer(on, sponsor);
  const explainer = explainers.get(on) ?? makeExplainer(on, null);
  explainers.set(on, explainer);
  return explainer;
}

function makeExplainer(on: MapChain | LedgerChain, sponsor: Address | null) {
  const clusters = new Clusters([on]);
  const deps = { clusters, random: new SeededRandom('explain') };
  const operations = [
    createDeposit(deps),
    createWithdraw(deps),
    createTransfer(deps),
    createInitializeMint(deps),
    createUndelegate(deps),
    createStealthPool(deps),
  ] as Operation[];
  return createExplainTransaction({ clusters, operations, sponsor });
}

async function explain(args: object, on: MapChain | LedgerChain = chain, sponsor: Address | null = null) {
  const operation = explainerOf(on, sponsor);
  const { output, sentences } = await operation.run(operation.input.parse(args), ANONYMOUS);
  return { output: operation.output.parse(output) as Explanation, sentences };
}

async function refusal(args: object): Promise<string> {
  try {
    await explain(args);
  } catch (error) {
    if (isServiceError(error)) return error.code;
    throw error;
  }
  throw new Error('it was explained');
}

const OPERATION_OF: Readonly<Record<string, string>> = {
  delegateSpl: 'deposit',
  delegatePrivateSpl: 'deposit',
  undelegateEphemeralAta: 'undelegate',
  'stealthPool.setup': 'createStealthPool',
  'stealthPool.update': 'createStealthPool',
  'transfer.v0': 'transfer',
};

/** Inputs of the SDK that no operation takes, and a validator that is left out. */
const isForeign = ({ input }: VectorTransaction): boolean =>
  'payer' in input || 'permissionFlags' in input || !('validator' in input);

/** USDC as a mint of Token-2022, which no network has. */
const isImpossible = ({ input }: VectorTransaction): boolean =>
  input['tokenProgram'] === TOKEN_2022_PROGRAM && (input['mint'] ?? USDC_MINT) === USDC_MINT;

/**
 * The transactions that a request asks for: the hosted ones but for the crank, and the SDK's deposits of
 * layout A.
 */
const REQUESTED = VECTOR_TRANSACTIONS.filter((vector) => {
  const { level, op } = vector;
  if (isImpossible(vector)) return false;
  if (level === 'hosted') return op !== 'ensureTransferQueueCrank';
  return ['delegateSpl', 'delegatePrivateSpl'].includes(op) && !isForeign(vector);
});

/** Additional input of `createStealthPool`: the vectors have separate inputs for its two transactions. */
const STEALTH_FILLERS = { destinations: [key(9)] };

function requestOf(vector: VectorTransaction) {
  const operation = OPERATION_OF[vector.op] ?? vector.op;
  const fillers = operation === 'createStealthPool' ? STEALTH_FILLERS : {};
  return { operation, arguments: { ...fillers, ...requestArguments(vector) } };
}

/** The bytes alone: nothing is confirmed, and every difference shows all the same. */
const check = (vector: VectorTransaction, transactionBase64 = vector.transactionBase64) => {
  chain.layout = vector.layout;
  return explain({ transactionBase64, offline: true, request: requestOf(vector) });
};

/**
 * Ledgers that have what a vector is about: its mint, and the token accounts of everyone its request names.
 */
function stageOf(vector: VectorTransaction): MapChain {
  const stage = new MapChain();
  const rollup = new MapRollup();
  const { mint = stage.defaultMint, tokenProgram = TOKEN_PROGRAM } = vector.input as Record<string, Address>;
  const parties = ['owner', 'from', 'to', 'payer'].map((name) => vector.input[name]);
  for (const node of [stage, rollup]) {
    node.simulateTransaction = () => Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
    node.put(mint, { owner: tokenProgram, data: mintDataOf(mint) });
    for (const party of parties.filter((name) => typeof name === 'string').filter(isAddress)) {
      const ata = deriveAta(party, mint, tokenProgram).address;
      node.put(ata, { owner: tokenProgram, data: tokenAccountData(mint, party, 1n << 60n) });
    }
  }
  const { owner, to, validator } = vector.input as Record<string, Address | undefined>;
  if (validator !== undefined) rollup.validator = validator;
  for (const party of [vector.op === 'withdraw' ? owner : undefined, to]) {
    if (party === undefined || !isAddress(party) || validator === undefined) continue;
    const eata = deriveEata(party, mint).address;
    const data = concat(addressBytes(party), addressBytes(mint), new Uint8Array(16));
    stage.put(eata, { owner: DELEGATION_PROGRAM, data }).put(deriveDelegationRecord(eata).address, {
      owner: DELEGATION_PROGRAM,
      data: delegationRecordData(validator),
    });
  }
  return Object.assign(stage, { network: 'mainnet', layout: vector.layout, rollup });
}

/** Vectors of which a part is sealed, or was up to the chain. */
function isDoubtful({ op, input, sealed }: VectorTransaction): boolean {
  const wraps = input['wrapped'] !== undefined && input['wrapped'] !== input['amount'];
  return (
    sealed.length > 0 ||
    (input['fromBalance'] === 'ephemeral' && input['toBalance'] === 'base') ||
    wraps ||
    input['gasless'] === true ||
    (op.startsWith('undelegate') && input['payerValidator'] !== undefined)
  );
}

describe('spl.explainTransaction with the request of a transaction', () => {
  it.each(REQUESTED.map((vector) => [`${vector.id} ${vector.op}`, vector] as const))(
    'finds that %s matches the request',
    async (_, vector) => {
      const { transactionBase64 } = vector;
      const args = { transactionBase64, request: requestOf(vector) };
      const { output, sentences } = await explain(args, stageOf(vector));
      expect(output.request?.differences).toEqual([]);
      const open = output.request?.claims.filter(({ verdict }) => verdict === 'unverifiable') ?? [];
      // The stage simulates nothing.
      const doubts = open.map(({ name }) => name).filter((name) => name !== 'outcome');
      expect(doubts.length > 0).toBe(isDoubtful(vector));
      expect(output.findings.filter(({ level }) => level === 'danger')).toEqual([]);
      expect(sentences[0]).toMatch(/^(The transaction is exactly|Nothing differs from) the /);
      expect(output.request?.claims.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
    },
  );

  it.each(REQUESTED.map((vector) => [`${vector.id} ${vector.op}`, vector] as const))(
    'confirms nothing of %s if no ledger is read, and finds no difference',
    async (_, vector) => {
      const { output } = await check(vector);
      expect(output.request).toMatchObject({ satisfied: 'unverifiable', differences: [] });
      expect(output.verdict).toBe('caution');
      expect(output.findings.map(({ code }) => code)).toContain('OFFLINE');
    },
  );

  it.each(['b-pub-0012', 'b-pub-0021'])(
    'detects that USDC is not a Token-2022 mint, contrary to %s',
    async (id) => {
      const vector = VECTOR_TRANSACTIONS.find((one) => one.id === id) as VectorTransaction;
      expect(isImpossible(vector)).toBe(true);
      expect((await check(vector)).output.request?.satisfied).toBe('no');
    },
  );

  it('reports every change of one byte in 1,000 transactions', async () => {
    const random = new SeededRandom('tamper');
    const draw = (below: number): number => Buffer.from(random.bytes(4)).readUInt32LE() % below;
    // What is wrapped was up to the chain: a smaller amount is no difference that bytes could show.
    const vectors = REQUESTED.filter(({ input }) => input['wrapped'] === undefined);
    const unnoticed: string[] = [];
    for (let round = 0; round < 1_000; round++) {
      const vector = vectors[draw(vectors.length)] as VectorTransaction;
      const { changed, at } = changeByte(vector, draw);
      if (!(await isNoticed(vector, changed))) unnoticed.push(`${vector.id} byte ${at}`);
    }
    expect(unnoticed).toEqual([]);
  }, 300_000);

  it('reports every account with another right, for each byte of the header', async () => {
    const unnoticed: string[] = [];
    for (const vector of REQUESTED) {
      const wire = new Uint8Array(Buffer.from(vector.transactionBase64, 'base64'));
      const { messageAt } = decodeTransaction(wire);
      for (const at of [0, 1, 2]) {
        for (const step of [1, -1]) {
          const changed = Uint8Array.from(wire);
          changed[messageAt + at] = (changed[messageAt + at] as number) + step;
          if (!(await isNoticed(vector, changed))) unnoticed.push(`${vector.id} ${at} ${step}`);
        }
      }
    }
    expect(unnoticed).toEqual([]);
  });

  it('reports an account that no instruction uses', async () => {
    const vector = REQUESTED.find(({ id }) => id === 'b-pub-0022') as VectorTransaction;
    const wire = Buffer.from(vector.transactionBase64, 'base64');
    const { messageAt, blockhashAt } = decodeTransaction(new Uint8Array(wire));
    const changed = Buffer.concat([
      wire.subarray(0, blockhashAt),
      addressBytes(key(66)),
      wire.subarray(blockhashAt),
    ]);
    // One more read-only account, which is the last of them.
    changed[messageAt + 2] = (changed[messageAt + 2] as number) + 1;
    changed[messageAt + 3] = (changed[messageAt + 3] as number) + 1;
    const { output } = await check(vector, changed.toString('base64'));
    expect(output.request?.differences).toEqual([
      { part: 'accounts', expected: 'no further account', found: expect.stringContaining(key(66)) },
    ]);
  });

  it.each<[string, (v: Rebuilt) => Partial<Rebuilt>]>([
    [
      'another amount',
      ({ instructions }) => ({
        instructions: replaceLast(instructions, { data: Uint8Array.of(3, 9, 0, 0, 0, 0, 0, 0, 0) }),
      }),
    ],
    [
      'another destination',
      ({ instructions }) => ({ instructions: replaceAccount(instructions, 1, key(66)) }),
    ],
    ['another source', ({ instructions }) => ({ instructions: replaceAccount(instructions, 0, key(66)) })],
    [
      'an extra instruction at the end',
      ({ instructions, feePayer }) => ({
        instructions: [...instructions, transferLamports(feePayer, key(66), 1n)],
      }),
    ],
    [
      'an extra instruction at the start',
      ({ instructions, feePayer }) => ({
        instructions: [transferLamports(feePayer, key(66), 1n), ...instructions],
      }),
    ],
    [
      'the same instruction twice',
      ({ instructions }) => ({ instructions: [...instructions, ...instructions] }),
    ],
    ['no instruction at all', () => ({ instructions: [] })],
    [
      'another program',
      ({ instructions }) => ({ instructions: replaceLast(instructions, { programId: key(66) }) }),
    ],
    ['another fee payer', () => ({ feePayer: key(66) })],
  ])('names %s', async (_, tamper) => {
    const vector = REQUESTED.find(({ id }) => id === 'b-pub-0022') as VectorTransaction;
    const honest = takeApart(vector.transactionBase64);
    expect(base64(putTogether(honest))).toBe(vector.transactionBase64);
    const { output, sentences } = await check(vector, base64(putTogether({ ...honest, ...tamper(honest) })));
    expect(output.request?.satisfied).toBe('no');
    expect(output.verdict).toBe('danger');
    expect(sentences[0]).toMatch(/^DO NOT SIGN/);
    expect(output.request?.claims.some(({ verdict }) => verdict === 'differs')).toBe(true);
  });

  it.each([
    ['more than the deposit takes', 1_000_000_001n, 'no'],
    ['less, which may be enough', 1n, 'unverifiable'],
  ])('checks the wrapping of %s', async (_, lamports, satisfied) => {
    const vector = REQUESTED.find(({ id }) => id === 'b-pub-0013') as VectorTransaction;
    const honest = takeApart(vector.transactionBase64);
    const instructions = honest.instructions.map((instruction, index) =>
      index === 1 ? { ...instruction, data: concat(u32(2), u64(lamports)) } : instruction,
    );
    const { output } = await check(vector, base64(putTogether({ ...honest, instructions })));
    expect(output.request?.satisfied).toBe(satisfied);
    expect(output.request?.differences.map(({ part }) => part)).toEqual(
      satisfied === 'no' ? ['lamports'] : [],
    );
  });

  it('says which claim a difference belongs to', async () => {
    const vector = REQUESTED.find(({ id }) => id === 'b-pub-0022') as VectorTransaction;
    const request = requestOf(vector);
    const { output } = await explain({
      transactionBase64: vector.transactionBase64,
      offline: true,
      request: { ...request, arguments: { ...request.arguments, amount: '999999' } },
    });
    const verdicts = output.request?.claims.map(({ name, verdict }) => [name, verdict]);
    expect(verdicts?.filter(([, verdict]) => verdict === 'differs')).toEqual([['amount', 'differs']]);
    expect(output.request?.differences).toEqual([
      { instruction: 0, part: 'amount', expected: '999999', found: '1000000' },
    ]);
  });

  it('compares the blockhash if it is given', async () => {
    const vector = REQUESTED.find(({ id }) => id === 'b-pub-0022') as VectorTransaction;
    const args = { transactionBase64: vector.transactionBase64, offline: true };
    const request = { ...requestOf(vector), recentBlockhash: chain.blockhash };
    expect((await explain({ ...args, request })).output.request?.differences).toEqual([]);
    const other = { ...request, recentBlockhash: key(1) };
    const { output } = await explain({ ...args, request: other });
    expect(output.request?.differences.map(({ part }) => part)).toEqual(['blockhash']);
  });

  it('distinguishes the configured sponsor from another one', async () => {
    const vector = REQUESTED.find(({ id }) => id === 'b-pub-0041') as VectorTransaction;
    const { output: unknown } = await check(vector);
    const args = { transactionBase64: vector.transactionBase64, offline: true, request: requestOf(vector) };
    const known = await explain(args, chain, unknown.feePayer as Address);
    expect(known.output.request).toMatchObject({ satisfied: 'unverifiable', differences: [] });
    const claimsOf = ({ output }: typeof known) => output.request?.claims.map(({ name }) => name);
    expect([claimsOf({ output: unknown, sentences: [] }), claimsOf(known)]).toEqual([
      expect.arrayContaining(['sponsor']),
      expect.not.arrayContaining(['sponsor']),
    ]);
    expect((await explain(args, chain, key(5))).output.request?.satisfied).toBe('no');
  });

  describe('and the ledger it is sent to', () => {
    const vectorOf = (id: string) => REQUESTED.find((vector) => vector.id === id) as VectorTransaction;
    const plain = vectorOf('b-pub-0022');
    const deposit = vectorOf('b-pub-0003');

    const explainAs = (vector: VectorTransaction, more: object, changes: object = {}) => {
      chain.layout = vector.layout;
      const { operation, arguments: args } = requestOf(vector);
      const request = { operation, arguments: { ...args, ...changes } };
      return explain({ transactionBase64: vector.transactionBase64, offline: true, request, ...more });
    };

    const onRollup = { fromBalance: 'ephemeral', toBalance: 'ephemeral' };

    it.each([
      [
        'a base transfer as one on the rollup',
        plain,
        'base',
        { ...onRollup, visibility: 'public' },
        'ephemeral',
      ],
      [
        'a base transfer as a private one on the rollup',
        plain,
        'base',
        { ...onRollup, visibility: 'private' },
        'ephemeral',
      ],
      ['a base transfer sent to the rollup', plain, 'ephemeral', {}, 'base'],
      ['a deposit sent to the rollup', deposit, 'ephemeral', {}, 'base'],
    ])('rejects %s', async (_, vector, sendTo, changes, expected) => {
      const { output, sentences } = await explainAs(vector, { sendTo }, changes);
      expect(output.request?.differences).toEqual([{ part: 'sendTo', expected, found: sendTo }]);
      expect(output).toMatchObject({ verdict: 'danger', request: { satisfied: 'no' } });
      expect(output.request?.claims.filter(({ verdict }) => verdict === 'differs')).toEqual([
        { name: 'sendTo', verdict: 'differs', message: `sendTo should be ${expected}, but is ${sendTo}.` },
      ]);
      expect(sentences[0]).toMatch(/^DO NOT SIGN/);
    });

    it.each([
      ['base', {}, 'the base ledger'],
      ['ephemeral', { ...onRollup, visibility: 'public' }, 'the rollup'],
    ])('says that the transfer is for %s only if sendTo is missing', async (ledger, changes, name) => {
      const { output, sentences } = await explainAs(plain, {}, changes);
      expect(output).toMatchObject({ sendTo: ledger, verdict: 'caution', request: { differences: [] } });
      const message = `sendTo: ${ledger}, so send it to ${name} only`;
      expect(output.request?.claims).toContainEqual({ name: 'sendTo', verdict: 'ok', message });
      expect(sentences).toContainEqual(
        expect.stringMatching(new RegExp(`^Note: .* send it to ${name} only`)),
      );
    });

    it.each(REQUESTED.map((vector) => [`${vector.id} ${vector.op}`, vector] as const))(
      'detects the ledger that %s is for',
      async (_, vector) => {
        const { output } = await explainAs(vector, {});
        const other = output.sendTo === 'base' ? 'ephemeral' : 'base';
        if (vector.sendTo !== null) expect(output.sendTo).toBe(vector.sendTo);
        const misled = await explainAs(vector, { sendTo: other });
        expect(misled.output.request?.differences.map(({ part }) => part)).toEqual(['sendTo']);
      },
    );
  });

  it('is satisfied by no gasless payment of a mint with other decimals (bug: 2,000 tokens were a fee of 0.2)', async () => {
    const mint = key(3);
    const parties = { from: FROM, to: TO, mint };
    const ready = readyChain({ ...parties, validator: VALIDATOR, sponsor: SPONSOR.address });
    ready.network = 'custom';
    ready.simulateTransaction = () => Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
    const transfer = createTransfer({
      clusters: new Clusters([ready]),
      random: new SeededRandom('gasless'),
      sponsor: { ...SPONSOR, customMints: [mint] },
    });
    const input = { ...parties, amount: '600000', visibility: 'public', gasless: true };
    const { output: built } = await transfer.run(transfer.input.parse(input), ANONYMOUS);
    const ask = async (offline: boolean) => {
      const request = { operation: 'transfer', arguments: input };
      const args = { transactionBase64: built.transactionBase64, offline, request };
      return (await explain(args, ready, SPONSOR.address)).output.request;
    };
    expect((await ask(false))?.differences).toEqual([]);
    ready.put(mint, { owner: TOKEN_PROGRAM, data: mintData(2) });
    expect(await ask(false)).toMatchObject({
      satisfied: 'no',
      claims: [{ name: 'request', message: expect.stringContaining('it has 2 decimals') }],
    });
    // Decimals that were not read are not held to be others.
    expect(await ask(true)).toMatchObject({ satisfied: 'unverifiable', differences: [] });
  });

  it('is satisfied by no transaction if the operation rejects the request', async () => {
    const vector = REQUESTED.find(({ id }) => id === 'b-pub-0022') as VectorTransaction;
    const request = requestOf(vector);
    const refused = { ...request, arguments: { ...request.arguments, toBalance: 'ephemeral' } };
    const { output } = await explain({
      transactionBase64: vector.transactionBase64,
      offline: true,
      request: refused,
    });
    expect(output.request?.satisfied).toBe('no');
    expect(output.request?.claims[0]?.message).toContain('transferSpl route not implemented');
  });

  it('reads the validator of the cluster if the request names none, and warns if offline', async () => {
    const vector = REQUESTED.find(({ id }) => id === 'b-pub-0003') as VectorTransaction;
    const request = requestOf(vector);
    const { validator, ...args } = request.arguments as unknown as { validator: Address };
    const input = { transactionBase64: vector.transactionBase64, request: { ...request, arguments: args } };
    chain.layout = 'b';
    expect((await explain({ ...input, offline: true })).output.request?.satisfied).toBe('unverifiable');
    chain.simulateTransaction = () => Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
    expect((await explain(input)).output.request?.satisfied).toBe('no');
    chain.validator = validator;
    const rollup = Object.assign(new MapRollup(), { validator });
    const { request: asked } = (await explain(input, Object.assign(chain, { rollup }))).output;
    const open = asked?.claims.filter((claim) => claim.verdict !== 'ok').map(({ name }) => name);
    expect(open).toEqual(['outcome']);
  });
});

describe('spl.explainTransaction of an undelegation', () => {
  const undelegations = REQUESTED.filter((vector) => requestOf(vector).operation === 'undelegate');

  const codes = async (vector: VectorTransaction, request?: object) => {
    const args = { transactionBase64: vector.transactionBase64, sendTo: 'ephemeral', request };
    const { output } = await explain(args, stageOf(vector));
    return output.findings.map(({ code }) => code).filter((code) => code !== 'TRIAL_UNAVAILABLE');
  };

  it.each(undelegations.map((vector) => [vector.id, vector] as const))(
    'warns that %s publishes a private balance, unless the request asks for it (bug: it was clear)',
    async (_, vector) => {
      const request = requestOf(vector);
      expect(await codes(vector)).toContain('SETTLEMENT_REQUESTED');
      expect(await codes(vector, request)).not.toContain('SETTLEMENT_REQUESTED');
      const another = { ...request, arguments: { ...request.arguments, payer: key(9) } };
      expect(await codes(vector, another)).toContain('SETTLEMENT_REQUESTED');
    },
  );
});

describe('spl.explainTransaction of a stealth pool', () => {
  const vector = REQUESTED.find(({ op }) => op === 'stealthPool.update') as VectorTransaction;

  const levels = async (request?: object) => {
    chain.layout = 'b';
    chain.rollup = new MapRollup();
    chain.rollup.simulateTransaction = () => Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
    const { output } = await explain({
      transactionBase64: vector.transactionBase64,
      sendTo: 'ephemeral',
      ...(request === undefined ? {} : { request }),
    });
    const of = output.findings.filter(({ code }) => code === 'DANGEROUS_INSTRUCTION');
    return [output.request?.satisfied, ...of.map(({ level }) => level)];
  };

  it('is a danger if its destinations were not requested, and a note if they were', async () => {
    const request = requestOf(vector);
    expect(await levels()).toEqual([undefined, 'danger']);
    expect(await levels(request)).toEqual(['unverifiable', 'note']);
    const others = { ...request.arguments, destinations: [key(9)] };
    expect(await levels({ ...request, arguments: others })).toEqual(['no', 'danger']);
  });
});

describe('spl.explainTransaction of a v0 transaction', () => {
  const vector = vectorV0();

  function putTable(addresses: readonly Address[]): void {
    const data = new Uint8Array(56 + addresses.length * 32);
    data[0] = 1;
    data.fill(0xff, 4, 12);
    for (const [index, address] of addresses.entries()) data.set(addressBytes(address), 56 + index * 32);
    chain.put(vector.table.address, { owner: ADDRESS_LOOKUP_TABLE_PROGRAM, data });
    chain.simulateTransaction = () => Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
  }

  const args = () => ({ transactionBase64: vector.transactionBase64, request: requestOf(vector) });

  beforeEach(() => {
    chain.layout = 'b';
  });

  it('reads the accounts from the lookup table', async () => {
    putTable(vector.table.addresses);
    const { output } = await explain(args());
    expect(output.version).toBe('v0');
    expect(output.findings.map(({ code }) => code)).toEqual([
      'OTHER_VALIDATOR',
      'OTHER_VALIDATOR',
      'SEALED_RECIPIENT',
      'ARRIVAL_UNPROVEN',
      'TRIAL_UNAVAILABLE',
      'REQUEST_UNVERIFIABLE',
    ]);
    expect(output.request).toMatchObject({ satisfied: 'unverifiable', differences: [] });
    expect(output.lookupTables).toEqual([{ address: vector.table.address, read: true }]);
  });

  it.each([
    ['p\u0430ypal', ['HANDLE_MIXES_SCRIPTS']],
    ['jose\u0301', ['HANDLE_NOT_NORMALIZED']],
    ['paypal', []],
  ])('checks the stealth handle %j of a sealed payment', async (to, codes) => {
    putTable(vector.table.addresses);
    const request = requestOf(vector);
    const { output } = await explain({
      ...args(),
      request: { ...request, arguments: { ...request.arguments, to } },
    });
    expect(output.findings.map(({ code }) => code).filter((code) => code.startsWith('HANDLE'))).toEqual(
      codes,
    );
  });

  it('does not treat a look-alike of an address as a stealth handle', async () => {
    putTable(vector.table.addresses);
    const request = requestOf(vector);
    const to = `0${(request.arguments as { readonly from: string }).from.slice(1)}`;
    const { output } = await explain({
      ...args(),
      request: { ...request, arguments: { ...request.arguments, to } },
    });
    expect(output.verdict).toBe('danger');
    expect(output.request?.satisfied).toBe('no');
    expect(output.request?.claims[0]?.message).toContain('looks like an address but is not one');
  });

  it.each([
    ['BH1uzss7M7Qt91tQBxckW5XYTTXBNBPZkEhHCZRytTmH', ['RECIPIENT_KEYLESS']],
    ['paypal', []],
    ['Aw9pz7J3aX5WgQoWvGYGK8PfXXNgTHutJ4i4z9MXj967', []],
  ])('says if no key signs for %s (bug: a token account was paid, and no one got it)', async (to, codes) => {
    putTable(vector.table.addresses);
    const request = requestOf(vector);
    const { output } = await explain({
      ...args(),
      request: { ...request, arguments: { ...request.arguments, to } },
    });
    const found = output.findings.filter(({ code }) => code === 'RECIPIENT_KEYLESS');
    expect(found.map(({ code }) => code)).toEqual(codes);
    expect(found.every(({ level }) => level === 'caution')).toBe(true);
  });

  it('warns about accounts that it could not read', async () => {
    const { output } = await explain({ ...args(), offline: true });
    expect(output.verdict).toBe('danger');
    expect(output.findings.map(({ code }) => code)).toContain('LOOKUP_TABLE_UNREAD');
    expect(output.request?.satisfied).toBe('unverifiable');
  });

  it('differs if the table has other addresses', async () => {
    putTable(vector.table.addresses.toReversed());
    const { output } = await explain(args());
    expect(output.verdict).toBe('danger');
    expect(output.request?.satisfied).toBe('no');
  });
});

describe('spl.explainTransaction of signatures', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const owner = addressOf(new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)));
  const unsigned = encodeUnsignedTransaction(
    compileLegacyMessage({
      feePayer: owner,
      blockhash: new Uint8Array(32).fill(1),
      instructions: [transferLamports(owner, key(2), 5n)],
    }),
  );
  const signed = Uint8Array.from(unsigned);
  signed.set(sign(null, unsigned.subarray(65), privateKey), 1);

  it.each([
    ['missing', unsigned, false],
    ['valid', signed, true],
    ['wrong', Uint8Array.from(signed).fill(~Number(signed[1]), 1, 2), false],
    ['wrong', Uint8Array.from(signed).fill(9, signed.length - 1), false],
  ])('calls one %s', async (signature, wire, fullySigned) => {
    const { output } = await explain({ transactionBase64: base64(wire), offline: true });
    expect(output.signers).toEqual([{ address: owner, signature }]);
    expect(output.fullySigned).toBe(fullySigned);
    const found = output.findings.map(({ code }) => code).filter((code) => code !== 'OFFLINE');
    expect(found).toEqual(signature === 'wrong' ? ['WRONG_SIGNATURE'] : []);
  });
});

const systemAccount = {
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
};

const OFFLINE = ['caution', 'OFFLINE'];

describe('spl.explainTransaction without a request', () => {
  const owner = key(11);
  const [source, destination] = [key(1), key(2)];
  const wireOf = (...instructions: Parameters<typeof compileLegacyMessage>[0]['instructions']) =>
    base64(
      encodeUnsignedTransaction(
        compileLegacyMessage({ feePayer: owner, blockhash: new Uint8Array(32).fill(1), instructions }),
      ),
    );
  const transfer = wireOf(
    transferTokens(TOKEN_PROGRAM, { source, destination, authority: owner }, 1_500_000n),
  );

  it('reports an excessive network fee', async () => {
    const price = {
      programId: COMPUTE_BUDGET_PROGRAM,
      accounts: [],
      data: concat(u8(3), u64(10_000_000_000n)),
    };
    const gift = transferLamports(owner, key(2), 1n);
    const { output } = await explain({ transactionBase64: wireOf(price, gift), offline: true });
    expect(output.effects.networkFeeLamportsMax).toBe('2030005000');
    expect(output.findings.map(({ level, code }) => [level, code])).toEqual([
      ['danger', 'HIGH_NETWORK_FEE'],
      ['caution', 'OFFLINE'],
    ]);
  });

  it('uses the cluster of the request, and rejects a different one', async () => {
    const other = new MapChain();
    other.cluster = 'devnet';
    other.layout = 'b';
    const clusters = new Clusters([chain, other]);
    const operation = createExplainTransaction({
      clusters,
      operations: [
        createDeposit({ clusters, random: new SeededRandom('explain') }),
      ] as unknown as Operation[],
      sponsor: null,
    });
    const args = { owner: '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb', amount: 1, cluster: 'devnet' };
    const request = { operation: 'deposit', arguments: args };
    const input = { transactionBase64: transfer, offline: true, request };
    const clusterOf = async (more: object) =>
      (await operation.run(operation.input.parse({ ...input, ...more }), ANONYMOUS)).output.cluster;
    expect(await clusterOf({})).toBe('devnet');
    expect(await clusterOf({ cluster: ' DevNet ' })).toBe('devnet');
    await expect(clusterOf({ cluster: 'localnet' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: expect.stringMatching(/cluster is localnet.*request\.arguments\.cluster is devnet/),
    });
  });

  it('reads mint and owners from the ledger, and reports if it could not', async () => {
    chain
      .put(source, { owner: TOKEN_PROGRAM, data: tokenAccountData(key(7), owner, 9_000_000n) })
      .put(destination, { owner: TOKEN_PROGRAM, data: tokenAccountData(key(7), key(8), 0n) })
      .put(key(7), { owner: TOKEN_PROGRAM, data: mintData(3) });
    chain.simulateTransaction = () =>
      Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'The base ledger did not answer'));
    const { output } = await explain({ transactionBase64: transfer });
    expect(output.effects.tokens).toMatchObject([
      { owner, mint: key(7), change: '-1500000', figure: '-1500' },
      { owner: key(8), mint: key(7), change: '1500000', figure: '+1500' },
    ]);
    expect(output.simulation).toMatchObject({ status: 'unavailable', error: { name: 'UPSTREAM_TIMEOUT' } });

    chain.getAccounts = () => Promise.reject(new ServiceError('UPSTREAM_UNAVAILABLE', 'gone'));
    chain.isBlockhashValid = () => Promise.resolve(true);
    const { output: alone, sentences } = await explain({ transactionBase64: transfer, sendTo: 'base' });
    expect(alone).toMatchObject({ chainRead: false, verdict: 'caution' });
    expect(sentences[0]).toBe('Its one instruction is known, but read the cautions before you sign.');
    expect(alone.findings.map(({ code }) => code)).toEqual(['LEDGER_UNREAD']);
  });

  it('reads the rollup for a rollup transaction', async () => {
    const rollup = new MapRollup();
    rollup.put(source, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, owner, 1n) });
    rollup.simulateTransaction = () => Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
    chain.rollup = rollup;
    const { output } = await explain({ transactionBase64: transfer, sendTo: 'ephemeral' });
    expect(output.effects.tokens[0]).toMatchObject({ owner, mint: USDC_MINT, location: 'ephemeral' });
    expect(output.effects.networkFeeLamportsMax).toBeNull();
  });

  it('is a caution without a rollup to read', async () => {
    const { output } = await explain({ transactionBase64: transfer, sendTo: 'ephemeral' });
    expect(output).toMatchObject({ chainRead: false, verdict: 'caution' });
    expect(output.findings.map(({ level, code }) => [level, code])).toEqual([['caution', 'LEDGER_UNREAD']]);
  });

  it.each([
    [[], /^It has no instructions, but read the cautions/],
    [[transferLamports(owner, key(2), 1n)], /^Its one instruction is known and not unusual\. Only/],
    [
      [transferLamports(owner, key(2), 1n), transferLamports(owner, key(3), 1n)],
      /^All 2 instructions are known and none is unusual\. Only/,
    ],
  ])('counts instructions in good English (%#)', async (instructions, words) => {
    chain.isBlockhashValid = () => Promise.resolve(true);
    chain.put(owner, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 1_000_000n });
    const gift = (address: Address) => (address === owner ? -BigInt(instructions.length) : 1n);
    chain.simulateTransaction = async (_wire: Uint8Array, watch: readonly Address[]) => ({
      err: null,
      logs: [],
      computeUnits: 0,
      accounts: watch.map((address) => ({
        ...systemAccount,
        lamports: (chain.accounts.get(address)?.lamports ?? 0n) + gift(address),
      })),
    });
    const { sentences } = await explain({ transactionBase64: wireOf(...instructions) });
    expect(sentences[0]).toMatch(words);
  });

  it.each([
    [undefined, [OFFLINE, ['note', 'RUNS_ON_EITHER_LEDGER']]],
    ['base', [OFFLINE]],
    ['ephemeral', [OFFLINE]],
  ])('says that a plain token transfer names no ledger when sendTo is %s', async (sendTo, found) => {
    const args = { transactionBase64: transfer, offline: true, ...(sendTo === undefined ? {} : { sendTo }) };
    const { output, sentences } = await explain(args);
    expect(output.findings.map(({ level, code }) => [level, code])).toEqual(found);
    const advice = sentences.filter((sentence) => sentence.includes('send it to the base ledger only'));
    expect(advice).toHaveLength(found.length - 1);
  });

  it('begins with a verdict that promises only what was checked', async () => {
    const { sentences } = await explain({ transactionBase64: transfer, offline: true });
    expect(sentences[0]).toContain('read the cautions before you sign');
    const unknown = await explain({
      transactionBase64: wireOf({ programId: key(66), accounts: [], data: new Uint8Array() }),
      offline: true,
    });
    expect(unknown.sentences[0]).toMatch(/^DANGER/);
    expect(unknown.sentences).toContainEqual(expect.stringContaining('UNKNOWN PROGRAM'));
  });

  it.each([
    ['text that is not base64', '***', 'INVALID_TRANSACTION'],
    ['another variant of base64', transfer.replaceAll('A', '_'), 'INVALID_TRANSACTION'],
    ['too few bytes', base64(new Uint8Array(40)), 'INVALID_TRANSACTION'],
    [
      'leftover bytes',
      base64(Buffer.concat([Buffer.from(transfer, 'base64'), Buffer.of(0)])),
      'INVALID_TRANSACTION',
    ],
    ['too many bytes', base64(new Uint8Array(1_233)), 'TRANSACTION_TOO_LARGE'],
  ])('rejects %s', async (_, transactionBase64, code) => {
    expect(await refusal({ transactionBase64 })).toBe(code);
  });

  it('rejects a request that its operation cannot parse, and names the field', async () => {
    const request = { operation: 'deposit', arguments: { owner: 'nope', amount: 1 } };
    await expect(explain({ transactionBase64: transfer, request })).rejects.toThrow(
      /owner: must be a base58/,
    );
  });
});

describe('spl.explainTransaction on a running ledger', () => {
  it('shows the effects of a deposit', async () => {
    const { ledger, fundedWallet, random } = await openTestLedger();
    try {
      const wallet = await fundedWallet();
      await ledger.airdropTokens(wallet.address, USDC_MINT, 2_000_000n);
      const local = new LedgerChain('localnet', ledger, LOCALNET_VALIDATOR);
      const clusters = new Clusters([local]);
      const deposit = createDeposit({ clusters, random });
      const args = { owner: wallet.address, amount: '1500000' };
      const { output: built } = await deposit.run(deposit.input.parse(args), ANONYMOUS);
      const request = { operation: 'deposit', arguments: args, recentBlockhash: built.recentBlockhash };
      const { output } = await explain({ transactionBase64: built.transactionBase64, request }, local);
      const ata = deriveAta(wallet.address, USDC_MINT, TOKEN_PROGRAM).address;
      expect(output).toMatchObject({ verdict: 'clear', chainRead: true, request: { satisfied: 'yes' } });
      expect(output.simulation?.status).toBe('succeeds');
      expect(output.simulation?.balanceChanges).toContainEqual({
        address: ata,
        asset: 'tokens',
        mint: USDC_MINT,
        owner: wallet.address,
        before: '2000000',
        after: '500000',
        change: '-1500000',
      });
      const own = output.effects.lamports.find(({ address }) => address === wallet.address);
      expect(own).toBeUndefined();
      const spent = output.simulation?.balanceChanges.find(
        ({ address, asset }) => address === wallet.address && asset === 'lamports',
      );
      // What the bytes tell is what the programs take: rents and one signature.
      const { rentLamportsMax, networkFeeLamportsMax } = output.effects;
      expect(-BigInt(spent?.change ?? 0)).toBe(
        BigInt(rentLamportsMax ?? -1) + BigInt(networkFeeLamportsMax ?? 0),
      );

      const gift = buildTransaction(ledger, [wallet], [transferLamports(wallet.address, key(3), 5_000_000n)]);
      const { output: signed } = await explain({ transactionBase64: base64(gift.wire) }, local);
      expect(signed).toMatchObject({ fullySigned: true, simulation: { status: 'succeeds' } });
      expect(signed.instructions[0]).toMatchObject({ programId: SYSTEM_PROGRAM, action: 'transferLamports' });
    } finally {
      await ledger.close();
    }
  });

  it('is a caution if the simulation fails, and confirms no request (bug: it was satisfied)', async () => {
    const { ledger, fundedWallet, random } = await openTestLedger();
    try {
      const poor = await fundedWallet();
      const local = new LedgerChain('localnet', ledger, LOCALNET_VALIDATOR);
      const deposit = createDeposit({ clusters: new Clusters([local]), random });
      const args = { owner: poor.address, amount: 1, initAtasIfMissing: true };
      const { output: hopeless } = await deposit.run(deposit.input.parse(args), ANONYMOUS);
      const { transactionBase64 } = hopeless;
      const { output, sentences } = await explain({ transactionBase64 }, local);
      expect(output).toMatchObject({
        verdict: 'caution',
        simulation: { status: 'fails', error: { name: 'Custom', code: 1, program: TOKEN_PROGRAM } },
      });
      expect(output.findings.map(({ level, code }) => [level, code])).toEqual([['caution', 'TRIAL_FAILS']]);
      expect(sentences).toContainEqual(
        expect.stringMatching(/^Caution: It would fail if sent now: Instruction/),
      );
      expect(sentences.at(-1)).toMatch(/FAILS: Instruction \d fails: there are too few tokens/);

      const request = { operation: 'deposit', arguments: args };
      const { output: asked, sentences: words } = await explain({ transactionBase64, request }, local);
      expect(asked).toMatchObject({ verdict: 'caution', request: { satisfied: 'unverifiable' } });
      expect(asked.request?.differences).toEqual([]);
      expect(words[0]).toMatch(/^Nothing differs from the requested deposit/);
    } finally {
      await ledger.close();
    }
  });
});

/** Changes one byte of a message, but none of the blockhash, the sealed boxes or the signatures. */
function changeByte(
  { transactionBase64, sealed }: VectorTransaction,
  draw: (below: number) => number,
): { changed: Uint8Array; at: number } {
  const wire = new Uint8Array(Buffer.from(transactionBase64, 'base64'));
  const { messageAt, blockhashAt, instructions } = decodeTransaction(wire);
  const spared = [
    [blockhashAt, 32],
    ...sealed.map(({ instruction, offset, length }) => [
      (instructions[instruction]?.data.byteOffset as number) - wire.byteOffset + offset,
      length,
    ]),
  ] as [number, number][];
  for (;;) {
    const at = messageAt + draw(wire.length - messageAt);
    if (spared.some(([from, length]) => at >= from && at < from + length)) continue;
    const changed = Uint8Array.from(wire);
    changed[at] = (changed[at] as number) ^ (1 + draw(255));
    return { changed, at };
  }
}

async function isNoticed(vector: VectorTransaction, wire: Uint8Array): Promise<boolean> {
  try {
    const { output } = await check(vector, base64(wire));
    return output.request?.satisfied === 'no' && output.verdict === 'danger';
  } catch (error) {
    if (isServiceError(error, 'INVALID_TRANSACTION')) return true;
    throw error;
  }
}

/** A legacy transaction as instructions, to be put together again with something else in it. */
type Rebuilt = Parameters<typeof compileLegacyMessage>[0];

function takeApart(text: string): Rebuilt {
  const transaction = decodeTransaction(new Uint8Array(Buffer.from(text, 'base64')));
  const { staticKeys, requiredSignatures, readonlySigned, readonlyUnsigned, wire, blockhashAt } = transaction;
  const metaAt = (index: number) => ({
    address: staticKeys[index] as Address,
    signer: index < requiredSignatures,
    writable:
      index < requiredSignatures
        ? index < requiredSignatures - readonlySigned
        : index < staticKeys.length - readonlyUnsigned,
  });
  return {
    feePayer: staticKeys[0] as Address,
    blockhash: wire.subarray(blockhashAt, blockhashAt + 32),
    instructions: transaction.instructions.map(({ programIdIndex, accounts, data }) => ({
      programId: staticKeys[programIdIndex] as Address,
      accounts: [...accounts].map(metaAt),
      data,
    })),
  };
}

const putTogether = (source: Rebuilt): Uint8Array => encodeUnsignedTransaction(compileLegacyMessage(source));

type Instructions = Rebuilt['instructions'];

const replaceLast = (instructions: Instructions, change: Partial<Instructions[number]>): Instructions => [
  ...instructions.slice(0, -1),
  { ...(instructions.at(-1) as Instructions[number]), ...change },
];

const replaceAccount = (instructions: Instructions, at: number, address: Address): Instructions =>
  replaceLast(instructions, {
    accounts: (instructions.at(-1) as Instructions[number]).accounts.map((meta, index) =>
      index === at ? { ...meta, address } : meta,
    ),
  });
