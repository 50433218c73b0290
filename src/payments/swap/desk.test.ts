import { beforeAll, describe, expect, it } from 'vitest';
import { MapChain, mintData } from '../../../test/ports/map-chain.ts';
import { refusalOf, runOperation } from '../../../test/run-operation.ts';
import { Clusters } from '../../chain/clusters.ts';
import { LedgerChain } from '../../ledger/ledger-chain.ts';
import {
  LOCALNET_VALIDATOR,
  NATIVE_MINT,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { createDeskKey } from '../../signing/desk-key.ts';
import type { Address } from '../../solana/address.ts';
import { createSwapQuote } from '../swap-quote.ts';
import { systemRandom } from '../../ports/random.ts';
import { createSwap } from '../swap.ts';
import { SwapDesk } from './desk.ts';
import { openMainnet } from './testing/ledger-mainnet.ts';

async function openDesk() {
  const scene = await openMainnet();
  const { ledger, random } = scene;
  const clusters = new Clusters([new LedgerChain('localnet', ledger, LOCALNET_VALIDATOR)]);
  const desk = new SwapDesk(createDeskKey(random), ledger);
  const swaps = { upstream: null, desk };
  const [quoting, swapping] = [
    createSwapQuote({ clusters, swaps }),
    createSwap({ clusters, swaps, random: systemRandom }),
  ];
  const quote = async (inputMint: Address, outputMint: Address, amount: bigint, args: object = {}) =>
    (await runOperation(quoting, { inputMint, outputMint, amount: `${amount}`, ...args })).output;
  const swap = (quoteResponse: object, args: object = {}) =>
    runOperation(swapping, { userPublicKey: scene.user.address, quoteResponse, ...args });
  const lamportsOf = (address: Address): bigint => ledger.getAccount(address)?.lamports ?? 0n;
  return { ...scene, desk, quote, swap, lamportsOf };
}

let scene: Awaited<ReturnType<typeof openDesk>>;

beforeAll(async () => {
  scene = await openDesk();
});

describe('the desk of localnet', () => {
  it('labels its quotes', async () => {
    expect(await scene.quote(NATIVE_MINT, USDC_MINT, 1_000_000_000n)).toEqual({
      inputMint: NATIVE_MINT,
      inAmount: '1000000000',
      outputMint: USDC_MINT,
      outAmount: '100000000',
      otherAmountThreshold: '100000000',
      swapMode: 'ExactIn',
      slippageBps: 50,
      priceImpactPct: '0',
      routePlan: [
        expect.objectContaining({
          swapInfo: expect.objectContaining({ label: 'localnet desk', ammKey: scene.desk.address }),
        }),
      ],
    });
  });

  it.each([
    ['ExactIn', 10_001n, '10001', '1000'],
    ['ExactOut', 1_001n, '10010', '1001'],
  ])('rounds in its own favour with %s', async (swapMode, amount, inAmount, outAmount) => {
    const quote = await scene.quote(NATIVE_MINT, USDC_MINT, amount, { swapMode });
    expect(quote).toMatchObject({ inAmount, outAmount });
  });

  it('sells tokens for SOL, and SOL for tokens, each in one transaction that the user signs', async () => {
    const { user, quote, swap, submit, tokensOf, lamportsOf, desk } = scene;
    const before = lamportsOf(user.address);
    const sold = await swap(await quote(USDC_MINT, NATIVE_MINT, 2_000_000n));
    expect(sold.output).toMatchObject({
      requiredSigners: [user.address],
      notes: [expect.any(String), expect.stringContaining(`localnet desk ${desk.address}`)],
    });
    expect((await submit(sold.output.swapTransaction, user)).err).toBeNull();
    expect(tokensOf(user.address, USDC_MINT)).toBe(3_000_000n);
    expect(lamportsOf(user.address)).toBe(before + 20_000_000n - 10_000n);
    const bought = await swap(await quote(NATIVE_MINT, USDC_MINT, 1_000_000n, { swapMode: 'ExactOut' }));
    expect((await submit(bought.output.swapTransaction, user)).err).toBeNull();
    expect(tokensOf(user.address, USDC_MINT)).toBe(4_000_000n);
    expect(lamportsOf(user.address)).toBe(before + 10_000_000n - 20_000n);
  });

  it('pays tokens for tokens to another account, and lets another wallet pay the fee', async () => {
    const { user, thief: friend, quote, swap, submit, tokensOf, lamportsOf } = scene;
    const [held, before] = [tokensOf(friend.address, USDC_DEVNET_MINT), lamportsOf(user.address)];
    const { output } = await swap(await quote(USDC_MINT, USDC_DEVNET_MINT, 500_000n), {
      payer: friend.address,
      destinationTokenAccount: scene.ataOf(friend.address, USDC_DEVNET_MINT),
    });
    expect(output.requiredSigners).toEqual([friend.address, user.address]);
    expect((await submit(output.swapTransaction, user, friend)).err).toBeNull();
    expect(tokensOf(friend.address, USDC_DEVNET_MINT)).toBe(held + 500_000n);
    expect(lamportsOf(user.address)).toBe(before);
  });

  it.each([
    ['a quote that it did not make', { outAmount: '3', otherAmountThreshold: '3' }, {}, 'quoteResponse'],
    ['wrapped SOL', {}, { wrapAndUnwrapSol: false }, 'wrapAndUnwrapSol'],
    ['an account for wrapped SOL', {}, { destinationTokenAccount: USDC_MINT }, 'destinationTokenAccount'],
  ])('rejects %s', async (_what, change, args, field) => {
    const quoted = await scene.quote(USDC_MINT, NATIVE_MINT, 2_000_000n);
    const error = await refusalOf(scene.swap({ ...quoted, ...change }, args));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENTS', context: { field } });
  });

  it('rejects amounts of nothing, and mints that the ledger does not have', async () => {
    const tiny = await refusalOf(scene.quote(NATIVE_MINT, USDC_MINT, 9n));
    expect(tiny.code).toBe('INVALID_AMOUNT');
    expect((await refusalOf(scene.quote(scene.user.address, USDC_MINT, 9n))).code).toMatch(
      /MINT_NOT_FOUND|UNSUPPORTED_TOKEN_PROGRAM/,
    );
  });

  it('does not swap privately', async () => {
    const { quote, swap } = scene;
    const error = await refusalOf(
      swap(await quote(NATIVE_MINT, USDC_MINT, 1_000_000_000n), { visibility: 'private' }),
    );
    expect(error).toMatchObject({
      code: 'UNSUPPORTED_ON_CLUSTER',
      message: expect.stringContaining('desk pays wallets and has no private payout'),
      context: { field: 'visibility', cluster: 'localnet', supported: [] },
    });
  });

  it('does not sell mints that the faucet cannot mint', async () => {
    const mint = scene.pool.address;
    const chain = new MapChain();
    for (const each of [mint, USDC_MINT]) chain.put(each, { owner: TOKEN_PROGRAM, data: mintData(6) });
    const clusters = new Clusters([chain]);
    const swaps = { upstream: null, desk: new SwapDesk(createDeskKey(scene.random), scene.ledger) };
    const routePlan = [{}];
    const amounts = { inAmount: '5', outAmount: '5', otherAmountThreshold: '5' };
    const quoteResponse = {
      inputMint: USDC_MINT,
      outputMint: mint,
      swapMode: 'ExactIn',
      slippageBps: 0,
      routePlan,
      ...amounts,
    };
    const running = runOperation(createSwap({ clusters, swaps, random: systemRandom }), {
      userPublicKey: scene.user.address,
      quoteResponse,
    });
    expect((await refusalOf(running)).code).toBe('MINT_NOT_FOUND');
  });
});
