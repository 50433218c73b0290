import { z } from 'zod';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { TRANSACTION_BYTES_MAX } from '../../solana/transaction.ts';
import { BPS, quoteTerms, type SwapTerms, withinLimit } from './quote.ts';
import { invalidAnswer, type SwapUpstream } from './swap-upstream.ts';

/** Maximum number of transactions requested for one swap: first for the given quote, then for others. */
const TRIES_MAX = 6;

/** Largest `maxAccounts` in a request for another quote (hosted API). */
const ROUTE_ACCOUNTS_MAX = 39;

/** A swap whose transaction fits. */
interface FittedSwap<Built> {
  readonly built: Built;
  /** The other quote that was used, and its `maxAccounts`; null if the given quote was used. */
  readonly other: { readonly terms: SwapTerms; readonly maxAccounts: number } | null;
}

/**
 * Builds the swap for a quote. If it is too large, builds the swap for another quote with as many accounts
 * as fit. The other quote never has a worse limit than the given one.
 *
 * @param build builds the swap for a quote; returns null if it is too large.
 * @throws {ServiceError} TRANSACTION_TOO_LARGE; UPSTREAM_*; the errors of `build`.
 */
export async function fitSwap<Built>(
  upstream: Pick<SwapUpstream, 'quote'>,
  { quoteResponse, terms }: { readonly quoteResponse: object; readonly terms: SwapTerms },
  build: (quoteResponse: object) => Promise<Built | null>,
): Promise<FittedSwap<Built>> {
  const first = await build(quoteResponse);
  if (first !== null) return { built: first, other: null };
  let fitted: FittedSwap<Built> | null = null;
  let isWorse = false;
  let [low, high] = [1, ROUTE_ACCOUNTS_MAX];
  for (let tries = 1; tries < TRIES_MAX && low <= high; tries++) {
    const maxAccounts = Math.floor((low + high) / 2);
    const found = await unlessRejected(upstream.quote(queryOf(quoteResponse, terms, maxAccounts)));
    const kept = found && withinLimit(readQuote(found, terms), terms);
    isWorse ||= found !== null && kept === null;
    const other = kept && { ...found, ...textOf(kept) };
    const built = other && (await unlessRejected(build(other)));
    // Without a route, or at a worse price, the swap needs more accounts.
    if (other !== null && built === null) high = maxAccounts - 1;
    else low = maxAccounts + 1;
    if (kept !== null && built !== null) fitted = { built, other: { terms: kept, maxAccounts } };
  }
  if (fitted !== null) return fitted;
  throw tooLarge(isWorse);
}

/** Returns null if the upstream rejected a request. */
async function unlessRejected<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isServiceError(error, 'UPSTREAM_REJECTED')) return null;
    throw error;
  }
}

/** Quote members that another quote must share. Others are ignored. */
const sameOptions = z.object({
  instructionVersion: z.enum(['V1', 'V2']).optional().catch(undefined),
  platformFee: z
    .object({ feeBps: z.int().min(0).max(BPS) })
    .optional()
    .catch(undefined),
});

function queryOf(quoteResponse: object, terms: SwapTerms, maxAccounts: number): Record<string, string> {
  const { inputMint, outputMint, swapMode, slippageBps, inAmount, outAmount } = terms;
  const { instructionVersion, platformFee } = sameOptions.parse(quoteResponse);
  return {
    inputMint,
    outputMint,
    amount: `${swapMode === 'ExactIn' ? inAmount : outAmount}`,
    slippageBps: `${slippageBps}`,
    swapMode,
    maxAccounts: `${maxAccounts}`,
    ...(instructionVersion && { instructionVersion }),
    ...(platformFee && { platformFeeBps: `${platformFee.feeBps}` }),
  };
}

/** @throws {ServiceError} UPSTREAM_INVALID if it is not a quote for the same swap. */
function readQuote(quote: object, expected: SwapTerms): SwapTerms {
  const terms = quoteTerms.safeParse(quote).data;
  if (terms === undefined) throw invalidAnswer('quote', 'its format is unknown');
  const fixed = expected.swapMode === 'ExactIn' ? 'inAmount' : 'outAmount';
  for (const name of ['inputMint', 'outputMint', 'swapMode', fixed] as const) {
    if (terms[name] === expected[name]) continue;
    throw invalidAnswer('quote', `${name} is ${terms[name]}, but ${expected[name]} was requested`);
  }
  return terms;
}

const textOf = ({ slippageBps, otherAmountThreshold }: SwapTerms) => ({
  slippageBps,
  otherAmountThreshold: `${otherAmountThreshold}`,
});

function tooLarge(isWorse: boolean): ServiceError {
  const why = isWorse
    ? 'the routes with fewer accounts have a worse price than the quote accepts. Request a quote with more slippage'
    : 'the upstream has no route with few enough accounts. Request a quote with a smaller maxAccounts';
  return new ServiceError(
    'TRANSACTION_TOO_LARGE',
    `The private swap does not fit into ${TRANSACTION_BYTES_MAX} bytes, and ${why}, or swap publicly and send the output with spl.transfer`,
    { field: 'quoteResponse', limit: TRANSACTION_BYTES_MAX },
  );
}
