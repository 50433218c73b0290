import { describe, expect, it } from 'vitest';
import { NATIVE_MINT, USDC_MINT } from '../../programs/addresses.ts';
import { type SwapTerms, thresholdFault, withinLimit } from './quote.ts';

const EXACT_IN: SwapTerms = {
  inputMint: NATIVE_MINT,
  outputMint: USDC_MINT,
  swapMode: 'ExactIn',
  slippageBps: 100,
  inAmount: 1_000n,
  outAmount: 10_000n,
  otherAmountThreshold: 9_900n,
};

const EXACT_OUT: SwapTerms = { ...EXACT_IN, swapMode: 'ExactOut', otherAmountThreshold: 1_010n };

describe('withinLimit', () => {
  it.each<[string, SwapTerms, Partial<SwapTerms>, Partial<SwapTerms> | null]>([
    ['the same price', EXACT_IN, {}, {}],
    ['a better price', EXACT_IN, { outAmount: 20_000n }, { otherAmountThreshold: 19_800n }],
    [
      'a worse price, with less slippage',
      EXACT_IN,
      { outAmount: 9_950n },
      { slippageBps: 50, otherAmountThreshold: 9_900n },
    ],
    ['the worst price', EXACT_IN, { outAmount: 9_900n }, { slippageBps: 0, otherAmountThreshold: 9_900n }],
    ['a price below the minimum', EXACT_IN, { outAmount: 9_899n }, null],
    ['nothing', EXACT_IN, { outAmount: 0n }, null],
    [
      'a higher input, with less slippage',
      EXACT_OUT,
      { inAmount: 1_004n },
      { slippageBps: 59, otherAmountThreshold: 1_010n },
    ],
    ['an input above the maximum', EXACT_OUT, { inAmount: 1_011n }, null],
    ['an input of nothing', EXACT_OUT, { inAmount: 0n }, null],
  ])('of %s', (_what, accepted, other, kept) => {
    const terms = { ...accepted, ...other };
    const found = withinLimit(terms, accepted);
    expect(found).toEqual(kept && { ...terms, ...kept });
    if (found !== null) expect(thresholdFault(found)).toBeNull();
  });
});
