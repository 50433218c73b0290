import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { NATIVE_MINT } from '../programs/addresses.ts';
import {
  notesMember,
  notesOf,
  type Warning,
  warningSentences,
  warningsMember,
  warningsOf,
} from './building/built-transaction.ts';
import { requireWallet } from './accounts/wallet.ts';
import { address, amount, cluster, flag } from './fields/fields.ts';
import { describeTokens } from './mints/common-mints.ts';
import { type MintFacts, readMint } from './mints/mint-facts.ts';
import { defineOperation, type OperationResult } from './operation.ts';
import { DESK_LABEL, type SwapDesk } from './swap/desk.ts';
import { BPS, inputMax, outputMin, quoteTerms, type SwapTerms, thresholdFault } from './swap/quote.ts';
import { hasSwaps, resolveSwaps, type SwapPlace, type SwapSources } from './swap/source.ts';
import { invalidAnswer, type SwapUpstream } from './swap/swap-upstream.ts';
import { verifySwap } from './swap/verify-swap.ts';

const count = (minimum: number, maximum: number, description: string) => {
  const rule = `must be an integer from ${minimum} to ${maximum}`;
  return z.int(rule).min(minimum, rule).max(maximum, rule).meta({ description });
};

/** Maximum of a priority fee that a caller can set, in lamports. More would be a mistake. */
const FEE_LAMPORTS_MAX = 1_000_000_000;

/**
 * Priority fee that the upstream may choose if the request sets none, in lamports: the limit of Jupiter's own
 * estimate.
 */
const OWN_FEE_LAMPORTS_MAX = 5_000_000n;

const lamports = (description: string) => count(0, FEE_LAMPORTS_MAX, description);

const OBJECT_RULE = 'must be an object';

const quoteInput = z
  .looseObject({}, { error: OBJECT_RULE })
  .meta({ description: 'The whole result of spl.swapQuote, unchanged.' });

const priorityLevel = z
  .strictObject(
    {
      priorityLevel: z
        .enum(['medium', 'high', 'veryHigh'], { error: 'must be one of: medium, high, veryHigh' })
        .meta({ description: 'The level.' }),
      maxLamports: lamports('Maximum lamports.'),
      global: flag('Use the level of the whole network.').optional(),
    },
    { error: OBJECT_RULE },
  )
  .meta({ description: 'A fee chosen by level.' });

const PRIORITY_RULE = `must be an integer from 0 to ${FEE_LAMPORTS_MAX}, or an object`;

const inputOf = (clusterNames: readonly string[]) =>
  z.strictObject({
    userPublicKey: address('The wallet that swaps. It signs.'),
    quoteResponse: quoteInput,
    payer: address('Wallet that pays fees and rent, and signs too. Default: the user.').optional(),
    wrapAndUnwrapSol: flag('Use plain SOL for the mint of wrapped SOL. Default: true.').optional(),
    useSharedAccounts: flag("Use the swap program's own intermediate accounts.").optional(),
    feeAccount: address("Token account for the integrator's fee.").optional(),
    trackingAccount: address('Account that marks the swap.').optional(),
    prioritizationFeeLamports: z
      .union(
        [
          lamports('The priority fee.'),
          z.strictObject({
            priorityLevelWithMaxLamports: priorityLevel.optional(),
            jitoTipLamports: lamports('The tip for Jito.').optional(),
          }),
        ],
        PRIORITY_RULE,
      )
      .optional()
      .meta({ description: `The priority fee. Default: chosen, up to ${OWN_FEE_LAMPORTS_MAX} lamports.` }),
    asLegacyTransaction: flag('Build a legacy transaction.').optional(),
    destinationTokenAccount: address(
      "Token account that receives the output instead of the user's.",
    ).optional(),
    nativeDestinationAccount: address('Wallet that receives the SOL instead of the user.').optional(),
    dynamicComputeUnitLimit: flag('Set the compute unit limit by a simulation.').optional(),
    skipUserAccountsRpcCalls: flag('Do not check which accounts exist.').optional(),
    dynamicSlippage: flag('Accepted for compatibility. The quote limits the slippage.').optional(),
    computeUnitPriceMicroLamports: count(0, 1_000_000_000, 'Price of a compute unit.').optional(),
    blockhashSlotsToExpiry: count(1, 300, 'Slots until the transaction expires.').optional(),
    positiveSlippage: z
      .strictObject(
        {
          bps: count(0, BPS, 'The share, in basis points.'),
          feeAccount: address('Token account that receives it.').optional(),
        },
        { error: OBJECT_RULE },
      )
      .optional()
      .meta({ description: 'Share of a better price that the integrator takes.' }),
    visibility: z
      .enum(['public', 'private'], { error: 'must be "public" or "private"' })
      .optional()
      .meta({ description: 'Only public swaps are supported. Default: public.' }),
    destination: address('Only for private swaps.').optional(),
    minDelayMs: amount('Only for private swaps.', 0).optional(),
    maxDelayMs: amount('Only for private swaps.', 0).optional(),
    split: count(1, 14, 'Only for private swaps.').optional(),
    clientRefId: amount('Only for private swaps.', 0).optional(),
    validator: address('Only for private swaps.').optional(),
    cluster: cluster(clusterNames).optional(),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;

const output = z.object({
  kind: z.literal('swap').meta({ description: 'What was built.' }),
  swapTransaction: z
    .string()
    .meta({ description: 'The transaction, base64, without the signatures of requiredSigners.' }),
  sendTo: z.literal('base').meta({ description: 'Send it to the base ledger.' }),
  requiredSigners: z.array(z.string()).meta({ description: 'Wallets that must sign.' }),
  lastValidBlockHeight: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'The last block height at which it can land, as reported by the upstream.' }),
  prioritizationFeeLamports: z.int().min(0).optional().meta({ description: 'The priority fee.' }),
  ...notesMember,
  ...warningsMember,
});

type Output = z.infer<typeof output>;

/** Members of the request that only a private swap has. */
const PRIVATE_MEMBERS = [
  'destination',
  'minDelayMs',
  'maxDelayMs',
  'split',
  'clientRefId',
  'validator',
] as const;

/**
 * Builds the transaction of a quoted swap. The answer of an upstream is verified before it is returned.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_ARGUMENTS, INVALID_OWNER, INVALID_AMOUNT,
 * MINT_NOT_FOUND, UNSUPPORTED_MINT_EXTENSION, TRANSACTION_FAILED, TRANSACTION_TOO_LARGE, FAUCET_LIMIT,
 * ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export function createSwap({
  clusters,
  swaps,
}: {
  readonly clusters: Clusters;
  readonly swaps: SwapSources;
}) {
  return defineOperation({
    name: 'swap',
    title: 'Build a swap',
    description:
      'Builds the transaction of a quote from spl.swapQuote, and checks by a simulation that the user pays and receives no worse than quoted. Sign swapTransaction and pass it to spl.sendTransaction as transactionBase64.',
    effect: 'build',
    unlisted: [
      'wrapAndUnwrapSol',
      'useSharedAccounts',
      'feeAccount',
      'trackingAccount',
      'prioritizationFeeLamports',
      'asLegacyTransaction',
      'dynamicComputeUnitLimit',
      'skipUserAccountsRpcCalls',
      'dynamicSlippage',
      'computeUnitPriceMicroLamports',
      'blockhashSlotsToExpiry',
      'positiveSlippage',
      'visibility',
      ...PRIVATE_MEMBERS,
    ],
    input: inputOf(clusters.names),
    output,
    worksOn: (chain) => hasSwaps(swaps, chain),
    run: async (input): Promise<OperationResult<Output>> => {
      const place = resolveSwaps(input.cluster, clusters, swaps);
      requirePublic(input, place);
      const { userPublicKey: user, payer = user } = input;
      requireWallet(user, 'userPublicKey', 'a swap');
      if (payer !== user) requireWallet(payer, 'payer', 'a swap');
      const quote = readQuote(input.quoteResponse);
      const fault = thresholdFault(quote);
      if (fault !== null)
        throw invalidArgument(
          'quoteResponse',
          `quoteResponse is not consistent: ${fault}; pass a quote unchanged`,
        );
      requireOneDestination(input, quote);
      const [paid, got] = await Promise.all([
        readMint(place.chain, quote.inputMint),
        readMint(place.chain, quote.outputMint),
      ]);
      const built =
        place.desk === null
          ? await buildByUpstream(place, input, quote)
          : await buildByDesk(place, input, quote);
      return answerOf(quote, { paid, got }, built);
    },
  });
}

/**
 * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER for a private swap; INVALID_ARGUMENTS for a public one with
 *   members of a private one, because its output would be public.
 */
function requirePublic(input: Input, { chain: { cluster: name } }: SwapPlace): void {
  if (input.visibility === 'private') {
    throw new ServiceError(
      'UNSUPPORTED_ON_CLUSTER',
      `Private swaps do not work on cluster ${name}: swap publicly, then pay the output with spl.transfer and visibility private`,
      { field: 'visibility', cluster: name, supported: [] },
    );
  }
  const member = PRIVATE_MEMBERS.find((key) => input[key] !== undefined);
  if (member === undefined) return;
  throw invalidArgument(
    member,
    `${member} is only for private swaps, and a public swap ignores it: leave it out`,
  );
}

/** @throws {ServiceError} INVALID_ARGUMENTS for two destinations, or one of the wrong kind. */
function requireOneDestination(
  { destinationTokenAccount, nativeDestinationAccount }: Input,
  { outputMint }: SwapTerms,
): void {
  if (nativeDestinationAccount === undefined) return;
  if (destinationTokenAccount !== undefined) {
    throw invalidArgument(
      'nativeDestinationAccount',
      'destinationTokenAccount and nativeDestinationAccount are both set: pass one of them',
    );
  }
  if (outputMint === NATIVE_MINT) return;
  throw invalidArgument(
    'nativeDestinationAccount',
    `nativeDestinationAccount receives SOL, but the swap pays ${outputMint}: pass destinationTokenAccount`,
  );
}

/** @throws {ServiceError} INVALID_ARGUMENTS if it is not a quote. */
function readQuote(quoteResponse: object): SwapTerms {
  const { data, error } = quoteTerms.safeParse(quoteResponse);
  if (data !== undefined) return data;
  const member = error.issues[0]?.path.join('.');
  throw invalidArgument(
    'quoteResponse',
    `quoteResponse is not a quote, because its ${member} is missing or not valid: pass the whole result of spl.swapQuote`,
  );
}

const invalidArgument = (field: string, message: string): ServiceError =>
  new ServiceError('INVALID_ARGUMENTS', message, { field });

/** A swap that was built. */
interface Built extends Pick<
  Output,
  'swapTransaction' | 'requiredSigners' | 'lastValidBlockHeight' | 'prioritizationFeeLamports'
> {
  readonly warnings: readonly Warning[];
  readonly notes: readonly string[];
}

const destinationsOf = ({ destinationTokenAccount, nativeDestinationAccount }: Input) => ({
  tokenDestination: destinationTokenAccount ?? null,
  solDestination: nativeDestinationAccount ?? null,
});

async function buildByDesk(
  { chain, desk }: SwapPlace & { desk: SwapDesk },
  input: Input,
  quote: SwapTerms,
): Promise<Built> {
  const { userPublicKey: user, payer = user, wrapAndUnwrapSol = true } = input;
  const destinations = destinationsOf(input);
  const isOfSol = [quote.inputMint, quote.outputMint].includes(NATIVE_MINT);
  const wrapped = quote.outputMint === NATIVE_MINT && destinations.tokenDestination !== null;
  if (isOfSol && (!wrapAndUnwrapSol || wrapped)) {
    const field = wrapAndUnwrapSol ? 'destinationTokenAccount' : 'wrapAndUnwrapSol';
    throw invalidArgument(field, `The ${DESK_LABEL} swaps only plain SOL: leave out ${field}`);
  }
  const { transactionBase64, requiredSigners, lastValidBlockHeight } = await desk.build(chain, {
    ...quote,
    ...destinations,
    user,
    payer,
  });
  return {
    swapTransaction: transactionBase64,
    requiredSigners: requiredSigners.filter((signer) => signer !== desk.address),
    lastValidBlockHeight,
    warnings: [],
    notes: [`The ${DESK_LABEL} ${desk.address} trades at fixed prices for tests, and has already signed.`],
  };
}

/** The members of an upstream's answer that are used. */
const swapAnswer = z.object({
  swapTransaction: z.string(),
  lastValidBlockHeight: z.int().min(0).optional(),
  prioritizationFeeLamports: z.int().min(0).optional(),
});

async function buildByUpstream(
  { chain, upstream }: SwapPlace & { upstream: SwapUpstream },
  input: Input,
  quote: SwapTerms,
): Promise<Built> {
  const { userPublicKey: user, payer = user } = input;
  const answer = swapAnswer.safeParse(await upstream.swap(bodyOf(input)));
  if (!answer.success) throw invalidAnswer('transaction', 'the format of the answer is unknown');
  const { swapTransaction, ...others } = answer.data;
  const { transaction, warnings } = await verifySwap(chain, swapTransaction, {
    ...quote,
    ...destinationsOf(input),
    ...feeLimits(input),
    user,
    payer,
    inputMax: inputMax(quote),
    outputMin: outputMin(quote),
  });
  return {
    swapTransaction,
    requiredSigners: transaction.staticKeys.slice(0, transaction.requiredSignatures),
    ...others,
    warnings,
    notes: [],
  };
}

/** Returns the body for the upstream. The quote already limits the slippage, so no other is chosen. */
function bodyOf(input: Input): object {
  const { cluster: _cluster, visibility: _visibility, dynamicSlippage: _slippage, ...body } = input;
  return body;
}

/** Maximum compute units of a transaction (Agave `MAX_COMPUTE_UNIT_LIMIT`). */
const COMPUTE_UNITS_MAX = 1_400_000n;

const MICRO = 1_000_000n;

/** Returns the most that a request lets the network and Jito take, in lamports. */
function feeLimits({ prioritizationFeeLamports: fee, computeUnitPriceMicroLamports: price }: Input) {
  const { priorityLevelWithMaxLamports: level, jitoTipLamports: tip = 0 } =
    typeof fee === 'object' ? fee : {};
  const byPrice = price === undefined ? undefined : (BigInt(price) * COMPUTE_UNITS_MAX + MICRO - 1n) / MICRO;
  const named = typeof fee === 'number' ? fee : level?.maxLamports;
  return {
    priorityFeeMax: named === undefined ? (byPrice ?? OWN_FEE_LAMPORTS_MAX) : BigInt(named),
    tipLamports: BigInt(tip),
  };
}

function answerOf(
  quote: SwapTerms,
  { paid, got }: { readonly paid: MintFacts; readonly got: MintFacts },
  { warnings, notes, ...built }: Built,
): OperationResult<Output> {
  const does = `The user pays at most ${describeTokens(inputMax(quote), paid)} and receives at least ${describeTokens(outputMin(quote), got)}.`;
  const all = [does, ...notes];
  return {
    output: { kind: 'swap', ...built, sendTo: 'base', ...notesOf(all), ...warningsOf(warnings) },
    sentences: [
      'Built the transaction of a swap.',
      ...all,
      `Sign it as ${built.requiredSigners.join(' and ')} and send it to the base ledger.`,
      ...warningSentences(warnings),
    ],
  };
}
