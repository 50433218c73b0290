import { beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, runOperation } from '../../test/run-operation.ts';
import { advanceNonce } from '../ledger/testing/instructions.ts';
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM, USDC_DEVNET_MINT, USDC_MINT } from '../programs/addresses.ts';
import { encode } from '../programs/instruction-table/encode.ts';
import { transferLamports } from '../programs/system.ts';
import { TOKEN_TABLE } from '../programs/token/table.ts';
import type { Instruction } from '../solana/instruction.ts';
import { createSwap } from './swap.ts';
import { ataOf, openMainnet, TERMS } from './swap/testing/ledger-mainnet.ts';

let scene: Awaited<ReturnType<typeof openMainnet>>;

beforeAll(async () => {
  scene = await openMainnet();
});

/** Runs a swap whose upstream returns a transaction with these instructions. */
function swapWith(instructions: readonly Instruction[], args: object = {}, feePayer = scene.user.address) {
  const swapTransaction = scene.wireOf(instructions, feePayer);
  return swapFor({ swapTransaction, lastValidBlockHeight: 500, prioritizationFeeLamports: 7 }, args);
}

function swapFor(answer: unknown, args: object = {}) {
  const { requests, ...deps } = scene.depsFor(answer);
  const running = runOperation(createSwap(deps), {
    userPublicKey: scene.user.address,
    quoteResponse: TERMS,
    ...args,
  });
  return Object.assign(running, { requests });
}

describe('spl.swap with an upstream', () => {
  it('returns a transaction that does what was quoted, and that lands', async () => {
    const { user, tokensOf } = scene;
    const { output } = await swapWith(scene.swapOf(1_000_000n, 905_001n));
    expect(output).toEqual({
      kind: 'swap',
      swapTransaction: expect.any(String),
      sendTo: 'base',
      requiredSigners: [user.address],
      lastValidBlockHeight: 500,
      prioritizationFeeLamports: 7,
      notes: [expect.stringContaining('pays at most 1 USDC')],
      warnings: [expect.objectContaining({ code: 'MINIMUM_NOT_ENFORCED' })],
    });
    const { err } = await scene.submit(output.swapTransaction, user);
    expect(err).toBeNull();
    expect(tokensOf(user.address, USDC_MINT)).toBe(4_000_000n);
    expect(tokensOf(user.address, USDC_DEVNET_MINT)).toBe(905_071n);
  });

  it('sends the quote unchanged and every option to the upstream', async () => {
    const running = swapWith(scene.swapOf(), {
      cluster: 'mainnet',
      visibility: 'public',
      wrapAndUnwrapSol: false,
      dynamicSlippage: true,
      quoteResponse: { ...TERMS, contextSlot: 5 },
    });
    await running;
    const [{ method, url, body } = {}] = running.requests;
    expect([method, url?.pathname]).toEqual(['POST', '/private-token-123/metis/swap']);
    expect(JSON.parse(body ?? '')).toEqual({
      userPublicKey: scene.user.address,
      quoteResponse: { ...TERMS, contextSlot: 5 },
      wrapAndUnwrapSol: false,
    });
  });

  it('accepts another payer, and another destination', async () => {
    const { user, thief } = scene;
    const { output } = await swapWith(scene.swapOf(), { payer: thief.address }, thief.address);
    expect(output.requiredSigners).toEqual([thief.address, user.address]);
    const destinationTokenAccount = ataOf(thief.address, USDC_DEVNET_MINT);
    await swapWith(scene.swapOf(1_000_000n, 905_000n, thief), { destinationTokenAccount });
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ['pays more', 'pays 1000001 base units', () => swapWith(scene.swapOf(1_000_001n))],
    ['pays out less', 'receives 900000 base units', () => swapWith(scene.swapOf(1_000_000n, 900_000n))],
    [
      'pays out to someone else',
      'receives 0 base units',
      () => swapWith(scene.swapOf(1_000_000n, 905_000n, scene.thief)),
    ],
    [
      'pays out to the user instead of the destination',
      'receives 0 base units',
      () =>
        swapWith(scene.swapOf(), { destinationTokenAccount: ataOf(scene.thief.address, USDC_DEVNET_MINT) }),
    ],
    [
      'takes SOL',
      'pays 15000 lamports, but at most 5000',
      () => swapWith([...scene.swapOf(), transferLamports(scene.user.address, scene.thief.address, 10_000n)]),
    ],
    [
      'sets a delegate',
      'as its delegate',
      () =>
        swapWith([
          ...scene.swapOf(),
          encode(
            TOKEN_TABLE.approve,
            {
              source: ataOf(scene.user.address, USDC_MINT),
              delegate: scene.thief.address,
              authority: scene.user.address,
            },
            { amount: 1n },
          ),
        ]),
    ],
    [
      'gives an account away',
      'as its holder',
      () =>
        swapWith([
          ...scene.swapOf(),
          encode(
            TOKEN_TABLE.setAuthority,
            { account: ataOf(scene.user.address, USDC_MINT), authority: scene.user.address },
            { authorityType: 2, newAuthority: scene.thief.address },
          ),
        ]),
    ],
    ['has another fee payer', 'its fee payer is', () => swapWith(scene.swapOf(), {}, scene.pool.address)],
    [
      'needs another signature',
      'must also sign it',
      () => swapWith([...scene.swapOf(), transferLamports(scene.pool.address, scene.user.address, 1n)]),
    ],
    [
      'does not need the signature of the user',
      'does not sign it',
      () =>
        swapWith(
          [transferLamports(scene.pool.address, scene.thief.address, 1n)],
          { payer: scene.pool.address },
          scene.pool.address,
        ),
    ],
    [
      'has a high priority fee',
      'its priority fee is up to 5000001 lamports',
      () => swapWith([...scene.swapOf(), unitLimit(1_000_000), unitPrice(5_000_001n)]),
    ],
    [
      'never expires',
      'durable nonce',
      () => swapWith([advanceNonce(scene.thief.address, scene.user.address), ...scene.swapOf()]),
    ],
    ['is no transaction', 'is not a single unsigned', () => swapFor({ swapTransaction: 'AAAA' })],
    ['has another format', 'format of the answer', () => swapFor({ transaction: 'AAAA' })],
  ])('rejects a transaction that %s', async (_what, words, run) => {
    const error = await refusalOf(run());
    expect(error).toMatchObject({ code: 'UPSTREAM_INVALID', message: expect.stringContaining(words) });
  });

  it('accepts the priority fee and the tip of the request, and no more', async () => {
    const { user, thief } = scene;
    const paying = (fee: bigint, tip: bigint) => [
      ...scene.swapOf(),
      unitLimit(1_000_000),
      unitPrice(fee),
      transferLamports(user.address, thief.address, tip),
    ];
    const level = { priorityLevelWithMaxLamports: { priorityLevel: 'high', maxLamports: 9_000 } };
    const args = { prioritizationFeeLamports: { ...level, jitoTipLamports: 3_000 } };
    await swapWith(paying(9_000n, 3_000n), args);
    expect((await refusalOf(swapWith(paying(9_001n, 3_000n), args))).code).toBe('UPSTREAM_INVALID');
    expect((await refusalOf(swapWith(paying(9_000n, 3_001n), args))).code).toBe('UPSTREAM_INVALID');
    expect((await refusalOf(swapWith(paying(7n, 0n), { prioritizationFeeLamports: 6 }))).code).toBe(
      'UPSTREAM_INVALID',
    );
  });

  it('says why a transaction would fail', async () => {
    const error = await refusalOf(swapWith(scene.swapOf(1_000_000n, 9_500_000n)));
    expect(error).toMatchObject({
      code: 'TRANSACTION_FAILED',
      message: expect.stringContaining('new quote'),
    });
  });

  it.each([
    ['private', { visibility: 'private' }, 'UNSUPPORTED_ON_CLUSTER', 'visibility'],
    ['terms of a private swap', { split: 3 }, 'INVALID_ARGUMENTS', 'split'],
    [
      'a quote with a worse threshold',
      { quoteResponse: { ...TERMS, otherAmountThreshold: '899999' } },
      'INVALID_ARGUMENTS',
      'quoteResponse',
    ],
    [
      'something else than a quote',
      { quoteResponse: { outAmount: 5 } },
      'INVALID_ARGUMENTS',
      'quoteResponse',
    ],
    [
      'a wallet for an output that is not SOL',
      { nativeDestinationAccount: TERMS.inputMint },
      'INVALID_ARGUMENTS',
      'nativeDestinationAccount',
    ],
    ['a program as the user', { userPublicKey: TOKEN_PROGRAM }, 'INVALID_OWNER', 'userPublicKey'],
  ])('rejects %s without asking the upstream', async (_what, args, code, field) => {
    const running = swapWith(scene.swapOf(), args);
    expect(await refusalOf(running)).toMatchObject({ code, context: { field } });
    expect(running.requests).toEqual([]);
  });
});

const budget = (tag: number, bytes: Buffer): Instruction => ({
  programId: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: Buffer.concat([Uint8Array.of(tag), bytes]),
});

function unitLimit(units: number): Instruction {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(units);
  return budget(2, bytes);
}

function unitPrice(microLamports: bigint): Instruction {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(microLamports);
  return budget(3, bytes);
}
