import { z } from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import { notesMember, warningsMember } from '../building/built-transaction.ts';
import { address, cluster, flag, wholeNumber } from '../fields/fields.ts';
import { BPS } from './quote.ts';

const count = (minimum: number, maximum: number, description: string) => {
  const rule = `must be an integer from ${minimum} to ${maximum}`;
  return z.int(rule).min(minimum, rule).max(maximum, rule).meta({ description });
};

/** Maximum priority fee that a caller can set, in lamports. A higher fee would be a mistake. */
const FEE_LAMPORTS_MAX = 1_000_000_000;

/**
 * Maximum priority fee that the upstream can choose if the request sets none, in lamports: the limit of
 * Jupiter's own estimate.
 */
export const OWN_FEE_LAMPORTS_MAX = 5_000_000n;

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

/** Maximum number of parts of a private payout (hosted API: one less than for its transfers). */
const SPLIT_MAX = 14;

/** Builds the input schema: the hosted API's arguments and `cluster`. */
export const swapInput = (clusterNames: readonly string[]) =>
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
      .meta({
        description: `Priority fee. Default: the upstream's, up to ${OWN_FEE_LAMPORTS_MAX} lamports.`,
      }),
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
      .meta({ description: 'Whether observers see who receives the output. Default: public.' }),
    destination: address('Private: the recipient.').optional(),
    minDelayMs: wholeNumber('Private: minimum delay of the payout, in milliseconds.').optional(),
    maxDelayMs: wholeNumber('Private: maximum delay of the payout, up to 600000.').optional(),
    split: count(1, SPLIT_MAX, 'Private: number of parts of the payout.').optional(),
    clientRefId: wholeNumber('Private: your own reference.').optional(),
    validator: address("Private: the validator that pays out. Default: the cluster's own.").optional(),
    cluster: cluster(clusterNames).optional(),
  });

export type SwapInput = z.infer<ReturnType<typeof swapInput>>;

/** The result of a swap. */
export const swapOutput = z.object({
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
  privateTransfer: z
    .object({
      stashAta: z.string().meta({ description: 'Token account that the swap pays.' }),
      hydraCrankPda: z.string().meta({ description: 'The scheduled payout.' }),
      shuttleId: z.int().min(0).meta({ description: 'Id of the payout.' }),
    })
    .optional()
    .meta({ description: 'The payout of a private swap.' }),
  ...notesMember,
  ...warningsMember,
});

export type SwapOutput = z.infer<typeof swapOutput>;

/** Request members that only a private swap accepts. */
export const PRIVATE_MEMBERS = [
  'destination',
  'minDelayMs',
  'maxDelayMs',
  'split',
  'clientRefId',
  'validator',
] as const;

/** Creates the error for an invalid argument. */
export const invalidArgument = (field: string, message: string): ServiceError =>
  new ServiceError('INVALID_ARGUMENTS', message, { field });
