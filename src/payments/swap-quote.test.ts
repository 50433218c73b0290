import { describe, expect, it } from 'vitest';
import { MapChain } from '../../test/ports/map-chain.ts';
import { faultyFields, refusalOf, runOperation } from '../../test/run-operation.ts';
import { Clusters } from '../chain/clusters.ts';
import type { Outcome } from '../chain/testing/scripted-transport.ts';
import { NATIVE_MINT, USDC_MINT } from '../programs/addresses.ts';
import { createSwapQuote } from './swap-quote.ts';
import { answerOf, mainnetSwaps, QUOTE } from './swap/testing/swap-scene.ts';

const ASKED = { inputMint: NATIVE_MINT, outputMint: USDC_MINT, amount: '1000000000' };

const EXACT_OUT = {
  ...QUOTE,
  swapMode: 'ExactOut',
  inAmount: '1000000000',
  otherAmountThreshold: '1005000000',
};

function sceneOf(outcome: Outcome) {
  const { requests, ...deps } = mainnetSwaps(() => outcome);
  const operation = createSwapQuote(deps);
  return { requests, quote: (args: object = {}) => runOperation(operation, { ...ASKED, ...args }) };
}

describe('spl.swapQuote with an upstream', () => {
  it("returns the upstream's quote unchanged, with members that it does not know", async () => {
    const { quote } = sceneOf(answerOf(QUOTE));
    const { output, sentences } = await quote();
    expect(output).toEqual(QUOTE);
    expect(sentences[1]).toBe(
      `The user pays at most 1 SOL (1000000000 base units of mint ${NATIVE_MINT}) and receives at least 99.5 USDC (99500000 base units of mint ${USDC_MINT}).`,
    );
  });

  it('sends every argument except the cluster, and a slippage even without one', async () => {
    const { quote, requests } = sceneOf(answerOf(QUOTE));
    await quote({ cluster: 'mainnet', onlyDirectRoutes: true, dexes: 'Whirlpool,Raydium CLMM' });
    const [{ method, url, body } = {}] = requests;
    expect([method, url?.pathname, body]).toEqual(['GET', '/private-token-123/metis/quote', null]);
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
      ...ASKED,
      onlyDirectRoutes: 'true',
      dexes: 'Whirlpool,Raydium CLMM',
      slippageBps: '50',
    });
  });

  it('accepts a fixed output and a slippage that the upstream chooses', async () => {
    const { output } = await sceneOf(answerOf(EXACT_OUT)).quote({
      swapMode: 'ExactOut',
      amount: 100_000_000,
    });
    expect(output).toEqual(EXACT_OUT);
    const dynamic = { ...QUOTE, slippageBps: 80, otherAmountThreshold: '99200000' };
    const { quote, requests } = sceneOf(answerOf(dynamic));
    expect((await quote({ dynamicSlippage: true })).output).toEqual(dynamic);
    expect(requests[0]?.url.searchParams.has('slippageBps')).toBe(false);
  });

  it.each([
    ['another input', { inputMint: USDC_MINT }, 'inputMint is'],
    ['another output', { outputMint: NATIVE_MINT }, 'outputMint is'],
    ['another amount', { inAmount: '1000000001' }, 'inAmount is 1000000001, but 1000000000 was requested'],
    ['another mode', { ...EXACT_OUT }, 'swapMode is ExactOut, but ExactIn was requested'],
    ['more slippage', { slippageBps: 51 }, 'slippageBps is 51, but 50 was requested'],
    ['a threshold below the slippage', { otherAmountThreshold: '99499999' }, 'is below 99500000'],
    ['no minimum', { outAmount: '0', otherAmountThreshold: '0' }, 'otherAmountThreshold 0'],
    ['an amount above u64', { outAmount: '18446744073709551616' }, 'its format is unknown'],
    ['an amount as a number', { outAmount: 100_000_000 }, 'its format is unknown'],
    ['no route', { routePlan: [] }, 'its format is unknown'],
  ])('rejects a quote with %s', async (_what, change, words) => {
    const error = await refusalOf(sceneOf(answerOf({ ...QUOTE, ...change })).quote());
    expect(error).toMatchObject({ code: 'UPSTREAM_INVALID', message: expect.stringContaining(words) });
  });

  it('rejects a maximum input above the slippage', async () => {
    const worse = { ...EXACT_OUT, otherAmountThreshold: '1005000001' };
    const error = await refusalOf(
      sceneOf(answerOf(worse)).quote({ swapMode: 'ExactOut', amount: 100_000_000 }),
    );
    expect(error.message).toContain('is above 1005000000');
  });

  it.each<[string, Outcome, string]>([
    ['no JSON', answerOf('<html>'), 'UPSTREAM_INVALID'],
    ['a list', answerOf([QUOTE]), 'UPSTREAM_INVALID'],
    ['a redirect', answerOf('', 302), 'UPSTREAM_INVALID'],
    ['a wrong token', answerOf({ error: 'private-token-123 unknown' }, 401), 'UPSTREAM_REJECTED'],
    ['a rate limit', answerOf('', 429), 'UPSTREAM_RATE_LIMITED'],
    ['a failure', answerOf('private-token-123', 500), 'UPSTREAM_UNAVAILABLE'],
    ['no answer', { fault: 'unreachable' }, 'UPSTREAM_UNAVAILABLE'],
    ['a late answer', { fault: 'timed-out' }, 'UPSTREAM_TIMEOUT'],
    ['too much', { fault: 'too-large' }, 'UPSTREAM_INVALID'],
  ])('does not pass on %s, nor the URL', async (_what, outcome, code) => {
    const error = await refusalOf(sceneOf(outcome).quote());
    expect(error.code).toBe(code);
    expect(JSON.stringify([error.message, error.context])).not.toMatch(/private-token|swaps\.example|html/);
  });

  it("names the upstream's reason only by its code", async () => {
    const refused = { error: 'Secret text', errorCode: 'COULD_NOT_FIND_ANY_ROUTE' };
    const { quote, requests } = sceneOf(answerOf(refused, 400));
    const error = await refusalOf(quote());
    expect(error).toMatchObject({
      code: 'UPSTREAM_REJECTED',
      context: { reason: 'COULD_NOT_FIND_ANY_ROUTE' },
    });
    expect(error.message).not.toContain('Secret');
    expect(requests).toHaveLength(1);
  });

  it('rejects one mint for both sides without asking the upstream', async () => {
    const { quote, requests } = sceneOf(answerOf(QUOTE));
    const error = await refusalOf(quote({ outputMint: NATIVE_MINT }));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENTS', context: { field: 'outputMint' } });
    expect(requests).toEqual([]);
  });
});

describe('spl.swapQuote without an upstream', () => {
  const operation = createSwapQuote({
    clusters: new Clusters([new MapChain()]),
    swaps: { upstream: null, desk: null },
  });

  it('names the setting', async () => {
    expect(operation.worksOn?.(new MapChain())).toBe(false);
    const error = await refusalOf(runOperation(operation, ASKED));
    expect(error).toMatchObject({
      code: 'UNSUPPORTED_ON_CLUSTER',
      message: expect.stringContaining('set SWAP_UPSTREAM_URL'),
    });
  });

  it.each([
    [{ slippageBps: 10_001 }, 'slippageBps'],
    [{ swapMode: 'exactIn' }, 'swapMode'],
    [{ amount: '-1' }, 'amount'],
    [{ maxAccounts: 0 }, 'maxAccounts'],
    [{ unknown: 1 }, 'unknown'],
  ])('rejects %j', (args, field) => {
    expect(faultyFields(operation, { ...ASKED, ...args })).toEqual([field]);
  });
});
