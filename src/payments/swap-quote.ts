import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { address, amount, cluster, flag, wellFormedText } from './fields/fields.ts';
import { describeTokens } from './mints/common-mints.ts';
import { readMint } from './mints/mint-facts.ts';
import { defineOperation, type OperationResult } from './operation.ts';
import {
  BPS,
  inputMax,
  outputMin,
  type QuoteOutput,
  quoteOutput,
  SLIPPAGE_BPS_DEFAULT,
  SWAP_MODES,
  type SwapTerms,
  thresholdFault,
  quoteTerms,
} from './swap/quote.ts';
import { hasSwaps, resolveSwaps, type SwapSources } from './swap/source.ts';
import { invalidAnswer } from './swap/swap-upstream.ts';

const exchanges = (description: string) => wellFormedText(description, 1_024).optional();

const inputOf = (clusterNames: readonly string[]) =>
  z.strictObject({
    inputMint: address('The mint to pay with.'),
    outputMint: address('The mint to receive.'),
    amount: amount('Base units of the fixed side (swapMode).'),
    slippageBps: z
      .int(`must be an integer from 0 to ${BPS}`)
      .min(0, `must be an integer from 0 to ${BPS}`)
      .max(BPS, `must be an integer from 0 to ${BPS}`)
      .optional()
      .meta({ description: `Accepted slippage, basis points. Default: ${SLIPPAGE_BPS_DEFAULT}.` }),
    swapMode: z
      .enum(SWAP_MODES, { error: `must be one of: ${SWAP_MODES.join(', ')}` })
      .optional()
      .meta({ description: 'Whether amount is the input or the output. Default: ExactIn.' }),
    dexes: exchanges('Use only these exchanges, separated by commas.'),
    excludeDexes: exchanges('Do not use these exchanges.'),
    restrictIntermediateTokens: flag('Use only liquid intermediate tokens.').optional(),
    onlyDirectRoutes: flag('Use only one exchange.').optional(),
    asLegacyTransaction: flag('Quote for a legacy transaction.').optional(),
    dynamicSlippage: flag('The upstream chooses the slippage.').optional(),
    forJitoBundle: flag('Quote for a Jito bundle.').optional(),
    supportDynamicIntermediateTokens: flag('Allow more intermediate tokens.').optional(),
    platformFeeBps: z
      .int(`must be an integer from 0 to ${BPS}`)
      .min(0, `must be an integer from 0 to ${BPS}`)
      .max(BPS, `must be an integer from 0 to ${BPS}`)
      .optional()
      .meta({ description: "The integrator's fee, basis points." }),
    maxAccounts: z
      .int('must be an integer from 1 to 64')
      .min(1, 'must be an integer from 1 to 64')
      .max(64, 'must be an integer from 1 to 64')
      .optional()
      .meta({ description: 'Maximum accounts in the swap.' }),
    instructionVersion: z
      .enum(['V1', 'V2'], { error: 'must be one of: V1, V2' })
      .optional()
      .meta({ description: "Version of the swap program's instruction." }),
    cluster: cluster(clusterNames).optional(),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;

/**
 * Quotes a swap. The quote is from the operator's upstream on mainnet, and from the desk on localnet.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_ARGUMENTS, INVALID_AMOUNT, MINT_NOT_FOUND,
 * UNSUPPORTED_MINT_EXTENSION, UPSTREAM_*.
 */
export function createSwapQuote({
  clusters,
  swaps,
}: {
  readonly clusters: Clusters;
  readonly swaps: SwapSources;
}) {
  return defineOperation({
    name: 'swapQuote',
    title: 'Quote a swap',
    description:
      'Returns the price of a swap between two mints. Pass the whole result to spl.swap as quoteResponse.',
    effect: 'read',
    unlisted: [
      'dexes',
      'excludeDexes',
      'restrictIntermediateTokens',
      'onlyDirectRoutes',
      'asLegacyTransaction',
      'dynamicSlippage',
      'forJitoBundle',
      'supportDynamicIntermediateTokens',
      'platformFeeBps',
      'maxAccounts',
      'instructionVersion',
    ],
    input: inputOf(clusters.names),
    output: quoteOutput,
    worksOn: (chain) => hasSwaps(swaps, chain),
    run: async (input): Promise<OperationResult<QuoteOutput>> => {
      const { chain, desk, upstream } = resolveSwaps(input.cluster, clusters, swaps);
      const { swapMode = 'ExactIn', inputMint, outputMint } = input;
      if (inputMint === outputMint) {
        throw new ServiceError('INVALID_ARGUMENTS', 'inputMint and outputMint are the same: pass two mints', {
          field: 'outputMint',
        });
      }
      const quote =
        desk === null
          ? await upstream.quote(queryOf(input))
          : await desk.quote(chain, { ...input, swapMode });
      const terms = readQuote(quote, input);
      const [paid, got] = await Promise.all([readMint(chain, inputMint), readMint(chain, outputMint)]);
      return {
        output: quote as QuoteOutput,
        sentences: [
          'Quoted a swap.',
          `The user pays at most ${describeTokens(inputMax(terms), paid)} and receives at least ${describeTokens(outputMin(terms), got)}.`,
        ],
      };
    },
  });
}

/** Writes the query for the upstream: every argument except the cluster. */
function queryOf({ cluster: _cluster, ...asked }: Input): Record<string, string> {
  const { slippageBps, dynamicSlippage, ...others } = asked;
  const slippage = dynamicSlippage === true ? slippageBps : (slippageBps ?? SLIPPAGE_BPS_DEFAULT);
  const members = Object.entries({ ...others, slippageBps: slippage, dynamicSlippage });
  return Object.fromEntries(
    members.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** @throws {ServiceError} UPSTREAM_INVALID if the quote does not answer the request. */
function readQuote(quote: object, asked: Input): SwapTerms {
  const parsed = quoteTerms.safeParse(quote);
  if (!parsed.success) throw invalidAnswer('quote', 'its format is unknown');
  const terms = parsed.data;
  const fault = differenceOf(terms, asked) ?? thresholdFault(terms);
  if (fault !== null) throw invalidAnswer('quote', fault);
  return terms;
}

/** Returns what a quote has that was not asked for; null if nothing. */
function differenceOf(terms: SwapTerms, asked: Input): string | null {
  const { swapMode = 'ExactIn', slippageBps = SLIPPAGE_BPS_DEFAULT, amount: wanted } = asked;
  const fixed = swapMode === 'ExactIn' ? 'inAmount' : 'outAmount';
  const expected = { inputMint: asked.inputMint, outputMint: asked.outputMint, swapMode, [fixed]: wanted };
  for (const [name, value] of Object.entries(expected)) {
    const given = terms[name as keyof SwapTerms];
    if (given !== value) return `${name} is ${given}, but ${value} was requested`;
  }
  if (asked.dynamicSlippage === true || terms.slippageBps <= slippageBps) return null;
  return `slippageBps is ${terms.slippageBps}, but ${slippageBps} was requested`;
}
