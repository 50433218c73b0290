import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import type { Random } from '../ports/random.ts';
import { NATIVE_MINT } from '../programs/addresses.ts';
import { notesOf, type Warning, warningSentences, warningsOf } from './building/built-transaction.ts';
import { requireWallet } from './accounts/wallet.ts';
import { describeTokens } from './mints/common-mints.ts';
import { type MintFacts, readMint } from './mints/mint-facts.ts';
import { defineOperation, type OperationResult } from './operation.ts';
import { DESK_LABEL, type SwapDesk } from './swap/desk.ts';
import { fitSwap } from './swap/fit-swap.ts';
import {
  invalidArgument,
  OWN_FEE_LAMPORTS_MAX,
  PRIVATE_MEMBERS,
  swapInput,
  type SwapInput,
  swapOutput,
  type SwapOutput,
} from './swap/input.ts';
import {
  addPayout,
  COMPUTE_UNITS_MAX,
  MICRO,
  planPrivateSwap,
  type PrivatePayout,
  privatePayoutOf,
} from './swap/private-swap.ts';
import { inputMax, outputMin, quoteTerms, type SwapTerms, thresholdFault } from './swap/quote.ts';
import {
  hasSwaps,
  requirePrivateSwaps,
  resolveSwaps,
  type SwapPlace,
  type SwapSources,
} from './swap/source.ts';
import { invalidAnswer, type SwapUpstream } from './swap/swap-upstream.ts';
import { priorityFeeOf, readSwap, requireEffects, verifySwap } from './swap/verify-swap.ts';
import { PRIVATE_BASE_LAMPORTS } from './transfer/fees.ts';

/** Dependencies of the operation. */
interface SwapDeps {
  readonly clusters: Clusters;
  readonly swaps: SwapSources;
  readonly random: Random;
}

/**
 * Builds the transaction of a quoted swap. The answer of an upstream is verified before it is returned.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_ARGUMENTS, INVALID_OWNER, INVALID_AMOUNT,
 * MINT_NOT_FOUND, UNSUPPORTED_MINT_EXTENSION, TRANSACTION_FAILED, TRANSACTION_TOO_LARGE, FAUCET_LIMIT,
 * ACCOUNT_UNREADABLE, UPSTREAM_*; for a private swap also the errors of {@link privatePayoutOf} and
 * {@link planPrivateSwap}.
 */
export function createSwap({ clusters, swaps, random }: SwapDeps) {
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
    input: swapInput(clusters.names),
    output: swapOutput,
    worksOn: (chain) => hasSwaps(swaps, chain),
    run: async (input): Promise<OperationResult<SwapOutput>> => {
      const place = resolveSwaps(input.cluster, clusters, swaps);
      const isPrivate = input.visibility === 'private';
      if (isPrivate) requirePrivateSwaps(place, clusters, swaps);
      else rejectPrivateMembers(input);
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
      const payout = isPrivate ? privatePayoutOf(input, quote) : null;
      requireOneDestination(input, quote);
      const [paid, got] = await Promise.all([
        readMint(place.chain, quote.inputMint),
        readMint(place.chain, quote.outputMint),
      ]);
      const asked = { input, quote, paid, got };
      const built = await (place.desk !== null
        ? buildByDesk(place, asked)
        : payout === null
          ? buildByUpstream(place, asked)
          : buildPrivately({ ...place, random }, asked, payout));
      return answerOf(asked, built);
    },
  });
}

/** @throws {ServiceError} INVALID_ARGUMENTS if a public swap has members that only a private swap accepts. */
function rejectPrivateMembers(input: SwapInput): void {
  const member = PRIVATE_MEMBERS.find((key) => input[key] !== undefined);
  if (member === undefined) return;
  throw invalidArgument(
    member,
    `${member} is only for private swaps, and a public swap ignores it: leave it out`,
  );
}

/** @throws {ServiceError} INVALID_ARGUMENTS for two destinations, or one of the wrong kind. */
function requireOneDestination(
  { destinationTokenAccount, nativeDestinationAccount }: SwapInput,
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

/** A request whose arguments have been checked. */
interface Asked {
  readonly input: SwapInput;
  readonly quote: SwapTerms;
  readonly paid: MintFacts;
  readonly got: MintFacts;
}

/** A swap that was built. */
interface Built extends Omit<SwapOutput, 'kind' | 'sendTo' | 'warnings' | 'notes'> {
  readonly warnings: readonly Warning[];
  readonly notes: readonly string[];
}

const destinationsOf = ({ destinationTokenAccount, nativeDestinationAccount }: SwapInput) => ({
  tokenDestination: destinationTokenAccount ?? null,
  solDestination: nativeDestinationAccount ?? null,
});

async function buildByDesk(
  { chain, desk }: SwapPlace & { desk: SwapDesk },
  { input, quote }: Asked,
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

function readAnswer(answer: object): z.infer<typeof swapAnswer> {
  const { data } = swapAnswer.safeParse(answer);
  if (data === undefined) throw invalidAnswer('transaction', 'the format of the answer is unknown');
  return data;
}

async function buildByUpstream(
  { chain, upstream }: SwapPlace & { upstream: SwapUpstream },
  { input, quote }: Asked,
): Promise<Built> {
  const { swapTransaction, ...others } = readAnswer(await upstream.swap(bodyOf(input)));
  const order = { ...orderOf(input, quote), ...destinationsOf(input), extraLamports: 0n };
  const { transaction, warnings } = await verifySwap(chain, swapTransaction, order);
  return {
    swapTransaction,
    requiredSigners: transaction.staticKeys.slice(0, transaction.requiredSignatures),
    ...others,
    warnings,
    notes: [],
  };
}

/** Builds a swap into the user's stash, from which the output is paid out privately. */
async function buildPrivately(
  { chain, upstream, random }: SwapPlace & { upstream: SwapUpstream; random: Random },
  { input, quote, paid, got }: Asked,
  payout: PrivatePayout,
): Promise<Built> {
  const plan = await planPrivateSwap({ chain, random }, input, payout, got);
  const { validator, privateTransfer, stashAta: tokenDestination } = plan;
  const order = {
    ...orderOf(input, quote),
    tokenDestination,
    solDestination: null,
    extraLamports: PRIVATE_BASE_LAMPORTS,
  };
  const body = { ...bodyOf(input), destinationTokenAccount: tokenDestination, asLegacyTransaction: false };
  const { quoteResponse } = input;
  const { built, other } = await fitSwap(upstream, { quoteResponse, terms: quote }, async (quoted) => {
    const answer = readAnswer(await upstream.swap({ ...body, quoteResponse: quoted }));
    const swap = await readSwap(chain, answer.swapTransaction, order);
    const whole = addPayout(swap, plan, order.priorityFeeMax);
    return whole && { ...whole, lastValidBlockHeight: answer.lastValidBlockHeight };
  });
  await requireEffects(chain, built, order);
  const { transaction, calls, lastValidBlockHeight } = built;
  return {
    swapTransaction: Buffer.from(transaction.wire).toString('base64'),
    requiredSigners: transaction.staticKeys.slice(0, transaction.requiredSignatures),
    lastValidBlockHeight,
    prioritizationFeeLamports: Number(priorityFeeOf(transaction, calls)),
    privateTransfer,
    warnings: [...plan.warnings, ...built.warnings],
    notes: [
      `The output goes to the user's stash ${plan.stash}. The scheduler Hydra then pays it to the recipient, less a 0.1 % fee. The recipient, the delays and the number of parts are sealed for validator ${validator}. The user pays ${PRIVATE_BASE_LAMPORTS} lamports for the payout. Do not send another private swap to this mint until the stash is empty, because a payout takes everything in it.`,
      ...(other === null
        ? []
        : [
            `The quoted route is too large for a private swap. The route used instead has at most ${other.maxAccounts} accounts, and is expected to pay ${describeTokens(other.terms.inAmount, paid)} for ${describeTokens(other.terms.outAmount, got)}.`,
          ]),
    ],
  };
}

const orderOf = (input: SwapInput, quote: SwapTerms) => {
  const { userPublicKey: user, payer = user } = input;
  const limits = { inputMax: inputMax(quote), outputMin: outputMin(quote) };
  return { ...quote, ...feeLimits(input), ...limits, user, payer };
};

/** Request members that are not sent to the upstream. The quote already limits the slippage. */
const OWN_MEMBERS: ReadonlySet<string> = new Set([
  'cluster',
  'visibility',
  'dynamicSlippage',
  ...PRIVATE_MEMBERS,
]);

/** Returns the body for the upstream. */
const bodyOf = (input: SwapInput): object =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !OWN_MEMBERS.has(name)));

/** Returns the most that a request lets the network and Jito take, in lamports. */
function feeLimits({ prioritizationFeeLamports: fee, computeUnitPriceMicroLamports: price }: SwapInput) {
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
  { quote, paid, got }: Asked,
  { warnings, notes, ...built }: Built,
): OperationResult<SwapOutput> {
  const receives = built.privateTransfer === undefined ? 'receives' : 'adds to its stash';
  const does = `The user pays at most ${describeTokens(inputMax(quote), paid)} and ${receives} at least ${describeTokens(outputMin(quote), got)}.`;
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
