import { z } from 'zod';
import { type Address, isAddress } from '../../solana/address.ts';
import { AMOUNT_MAX } from '../fields/fields.ts';

/** The side of a swap whose amount is fixed. */
export const SWAP_MODES = ['ExactIn', 'ExactOut'] as const;

type SwapMode = (typeof SWAP_MODES)[number];

/** Slippage of a quote that asks for none, in basis points: the default of Jupiter's API. */
export const SLIPPAGE_BPS_DEFAULT = 50;

/** Basis points in 100 %. */
export const BPS = 10_000;

/** The terms of a swap. Amounts are in base units. */
export interface SwapTerms {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly swapMode: SwapMode;
  readonly slippageBps: number;
  readonly inAmount: bigint;
  readonly outAmount: bigint;
  /** Minimum output of `ExactIn`, maximum input of `ExactOut`. */
  readonly otherAmountThreshold: bigint;
}

/** The most that the user pays. */
export const inputMax = ({ swapMode, inAmount, otherAmountThreshold }: SwapTerms): bigint =>
  swapMode === 'ExactIn' ? inAmount : otherAmountThreshold;

/** The least that the user receives. */
export const outputMin = ({ swapMode, outAmount, otherAmountThreshold }: SwapTerms): bigint =>
  swapMode === 'ExactIn' ? otherAmountThreshold : outAmount;

/** Applies the slippage to the price: minimum output for `ExactIn`, maximum input for `ExactOut`. */
function limitOf({ swapMode, slippageBps, inAmount, outAmount }: SwapTerms): bigint {
  return swapMode === 'ExactIn'
    ? (outAmount * BigInt(BPS - slippageBps)) / BigInt(BPS)
    : (inAmount * BigInt(BPS + slippageBps) + BigInt(BPS - 1)) / BigInt(BPS);
}

/**
 * Checks whether the threshold is the price with the slippage, and not worse.
 *
 * @returns what differs; null if nothing does.
 */
export function thresholdFault(terms: SwapTerms): string | null {
  const { swapMode, slippageBps, inAmount, outAmount, otherAmountThreshold } = terms;
  const limit = limitOf(terms);
  if (swapMode === 'ExactIn') {
    if (otherAmountThreshold >= limit && otherAmountThreshold > 0n) return null;
    return `otherAmountThreshold ${otherAmountThreshold} is below ${limit}, which is outAmount ${outAmount} less ${slippageBps} basis points`;
  }
  if (otherAmountThreshold <= limit) return null;
  return `otherAmountThreshold ${otherAmountThreshold} is above ${limit}, which is inAmount ${inAmount} plus ${slippageBps} basis points`;
}

/**
 * Lowers the slippage of another quote for a swap, so that its limit is no worse than the accepted one.
 *
 * @returns null if its price is worse even without slippage.
 */
export function withinLimit(terms: SwapTerms, accepted: SwapTerms): SwapTerms | null {
  const isExactIn = terms.swapMode === 'ExactIn';
  const price = isExactIn ? terms.outAmount : terms.inAmount;
  const room = (price - accepted.otherAmountThreshold) * (isExactIn ? 1n : -1n);
  if (room < 0n || price === 0n) return null;
  const slippageBps = Math.min(accepted.slippageBps, Number((room * BigInt(BPS)) / price));
  return { ...terms, slippageBps, otherAmountThreshold: limitOf({ ...terms, slippageBps }) };
}

/** Reads a decimal string as u64. */
const u64Text = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt)
  .refine((value) => value <= AMOUNT_MAX);

const addressText = z
  .string()
  .refine(isAddress)
  .transform((text): Address => text as Address);

/** The members of a quote that this service checks. */
export const quoteTerms = z.object({
  inputMint: addressText,
  outputMint: addressText,
  swapMode: z.enum(SWAP_MODES),
  slippageBps: z.int().min(0).max(BPS),
  inAmount: u64Text,
  outAmount: u64Text,
  otherAmountThreshold: u64Text,
  routePlan: z.array(z.object({})).min(1),
});

const text = (description: string) => z.string().meta({ description });

/** A quote in the format of Jupiter's API, as results contain it. It may have further members. */
export const quoteOutput = z.looseObject({
  inputMint: text('Mint to pay with.'),
  inAmount: text('Base units to pay.'),
  outputMint: text('Mint to receive.'),
  outAmount: text('Base units to receive.'),
  otherAmountThreshold: text('Minimum output (ExactIn) or maximum input (ExactOut).'),
  swapMode: z.enum(SWAP_MODES).meta({ description: 'Fixed side.' }),
  slippageBps: z.int().min(0).meta({ description: 'Basis points.' }),
  routePlan: z.array(z.looseObject({})).meta({ description: 'Exchanges.' }),
});

export type QuoteOutput = z.infer<typeof quoteOutput>;
