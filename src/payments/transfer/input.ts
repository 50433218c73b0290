import { z } from 'zod';
import { quoted } from '../../errors/quoted-text.ts';
import type { Address } from '../../solana/address.ts';
import { TRANSACTION_BYTES_MAX } from '../../solana/transaction.ts';
import {
  builtTransactionMembers,
  LEDGERS,
  notesMember,
  sendRpcEndpointMember,
  warningsMember,
} from '../building/built-transaction.ts';
import {
  address,
  amount,
  AMOUNT_MAX,
  cluster,
  decimalText,
  flag,
  STEALTH_HANDLE_CHARACTERS_MAX,
  STEALTH_HANDLE_RULE,
  wellFormedText,
} from '../fields/fields.ts';
import { describeTokens, formatBaseUnits } from '../mints/common-mints.ts';
import type { TransferTask } from './request.ts';

const WHOLE_NUMBER_RULE =
  'must be a whole number from 0 to 18446744073709551615: an integer up to 9007199254740991, or a decimal string';

/** Creates the schema for a u64. Negative values pass, because they have their own error. */
const wholeNumber = (description: string, maximum: number) =>
  z
    .union(
      [
        z.int(WHOLE_NUMBER_RULE).meta({ minimum: 0, maximum }),
        z
          .string(WHOLE_NUMBER_RULE)
          .regex(/^-?[0-9]{1,20}$/, { error: WHOLE_NUMBER_RULE, abort: true })
          .refine((text) => BigInt(text) <= AMOUNT_MAX, WHOLE_NUMBER_RULE)
          .meta({ pattern: '^[0-9]{1,20}$' }),
      ],
      WHOLE_NUMBER_RULE,
    )
    .transform((value) => BigInt(value))
    .meta({ description });

/** Creates the schema for a small integer. Values out of range have their own errors. */
const smallNumber = (description: string, minimum: number, maximum: number) =>
  z
    .number({ error: `must be an integer from ${minimum} to ${maximum}` })
    .meta({ description, type: 'integer', minimum, maximum });

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
  z.enum(values, { error: `must be one of: ${values.join(', ')}` }).meta({ description });

/** Maximum memo length, in characters. A longer memo does not fit into any transaction. */
const MEMO_CHARACTERS_MAX = TRANSACTION_BYTES_MAX;

const recipient = wellFormedText(
  `The wallet to pay, or a stealth handle (${STEALTH_HANDLE_RULE}) for a private transfer from base to base. Any text that is not an address is treated as a handle.`,
  STEALTH_HANDLE_CHARACTERS_MAX,
)
  .refine((text) => text !== '', {
    error: 'must not be empty: the address of a wallet, or a stealth handle',
  })
  .meta({ minLength: 1, maxLength: 255 });

const transactionVersion = z.literal(1, { error: 'must be 1: other versions are chosen by size' }).meta({
  description:
    'Build a version 1 transaction, of up to 4,096 bytes, if the transaction is too large for the other versions. Rejected on clusters that do not accept version 1. Has no effect with gasless.',
});

/** Builds the input schema for a transfer: the hosted API's arguments and `initRecipientAta`. */
export const transferInput = (clusterNames: readonly string[]) =>
  z.strictObject({
    from: address('The wallet that pays. It signs.'),
    to: recipient,
    mint: address('The mint of the tokens.'),
    amount: amount(
      "How much, in the mint's base units (1 USDC = 1000000). An integer, or a decimal string up to 18446744073709551615. 0 is allowed only from base to the rollup.",
      0,
    ),
    visibility: oneOf(
      ['private', 'public'],
      'Whether observers can see who is paid. Default: private.',
    ).optional(),
    fromBalance: oneOf(['base', 'ephemeral'], "Where the sender's tokens are. Default: base.").optional(),
    toBalance: oneOf(
      ['base', 'ephemeral'],
      'Where the recipient receives the tokens. Default: base.',
    ).optional(),
    cluster: cluster(clusterNames).optional(),
    validator: address(
      "The validator whose rollup carries the transfer. Default: the cluster's own.",
    ).optional(),
    initIfMissing: flag(
      "From base to the rollup: create and delegate the recipient's accounts. Default: false.",
    ).optional(),
    initAtasIfMissing: flag("Create the sender's token account (ATA). Default: false.").optional(),
    initVaultIfMissing: flag(
      'Create the vault of the mint and, for private transfers that end on base, the transfer queue. Default: false.',
    ).optional(),
    initRecipientAta: flag(
      "Public, from base to base: create the recipient's token account (ATA) at the sender's expense. Default: false.",
    ).optional(),
    memo: wellFormedText(
      'A note, in its own memo instruction. Anyone who can read the transaction can read it: on the base ledger, everyone.',
      MEMO_CHARACTERS_MAX,
    ).optional(),
    minDelayMs: wholeNumber(
      'Private, to base: minimum delay of the payout, in milliseconds. Default: 0.',
      600_000,
    ).optional(),
    maxDelayMs: wholeNumber(
      'Private, to base: maximum delay of the payout, in milliseconds, up to 600000. Default: minDelayMs.',
      600_000,
    ).optional(),
    split: smallNumber(
      'Private, to base: number of parts to split the payout into, 1 to 15. Default: 1.',
      1,
      15,
    ).optional(),
    clientRefId: wholeNumber(
      'Private, to base: your own reference, a whole number up to 18446744073709551615.',
      Number.MAX_SAFE_INTEGER,
    ).optional(),
    exactOut: flag(
      'Whether the recipient gets the whole amount and fees are added. A fee that a Token-2022 mint withholds is always deducted. Default: true.',
    ).optional(),
    gasless: flag(
      "The service's sponsor pays the lamports for a fee of 0.2 of the stablecoin. Default: false.",
    ).optional(),
    platformFeeBps: smallNumber(
      'Fee for platformFeeAccount, in ten thousandths of the amount, 0 to 10000. From base only. Default: 0.',
      0,
      10_000,
    ).optional(),
    platformFeeAccount: address('The token account the platform fee goes to.').optional(),
    transactionVersion: transactionVersion.optional(),
    legacy: flag('Build the legacy form even if the v0 form is smaller. Default: false.').optional(),
  });

export type TransferInput = z.infer<ReturnType<typeof transferInput>>;

/** The result of a transfer. */
export const transferOutput = z.object({
  kind: z.literal('transfer').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  ...sendRpcEndpointMember,
  validator: z.string().optional().meta({
    description: 'The validator whose rollup carries the transfer; absent if none was needed or named.',
  }),
  from: z.enum(['base', 'ephemeral']).meta({ description: "Where the sender's tokens come from." }),
  fees: z
    .object({
      lamports: decimalText(
        'Lamports the program charges for a payout on the base ledger, as the hosted API counts them: without rent, the network fee and the 500000 of a shuttle. Explain the transaction to see all costs.',
      ),
      tokens: decimalText("All fees in tokens, in the mint's base units."),
    })
    .meta({ description: 'The cost of the transfer in lamports and in tokens, as decimal strings.' }),
  ...notesMember,
  ...warningsMember,
});

export type TransferOutput = z.infer<typeof transferOutput>;

/** Explains why the recipient's account is not read: the base RPC would learn the private payee. */
export const unreadRecipient = (to: Address): string =>
  `Whether ${to} still owns the token account at its ATA is not checked, because the base RPC would learn who is paid.`;

/** Describes a transfer in one sentence. `to` is the recipient as the caller wrote it. */
export function noteOfTransfer({ request, facts, payer }: TransferTask, to: string): string {
  const { sums, from, way } = request;
  const { visibility, fromBalance, toBalance } = way;
  const tokens = (units: bigint): string => formatBaseUnits(units, facts.decimals);
  const payee = request.toStealthPool ? `the stealth handle ${quoted(to)}` : to;
  const fee = sums.debited - sums.received;
  const cost = fee === 0n ? '' : ` ${tokens(sums.debited)} leave the sender, ${tokens(fee)} of them as fees.`;
  const sponsored = payer === from ? '' : ` The sponsor ${payer} pays the lamports and has signed already.`;
  return `It pays ${describeTokens(sums.received, facts)} from ${from} on ${LEDGERS[fromBalance]} to ${payee} on ${LEDGERS[toBalance]}, ${visibility === 'private' ? 'privately' : 'publicly'}.${cost}${sponsored}`;
}
