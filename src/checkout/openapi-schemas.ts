import { z } from 'zod';

const text = (description: string) => z.string().meta({ description });

const textOrNull = (description: string) => z.string().nullable().meta({ description });

const time = (description: string) => z.string().meta({ format: 'date-time', description });

const integer = (description: string) => z.int().meta({ description });

const choice = <const T extends readonly string[]>(values: T, description: string) =>
  z.enum(values).meta({ description });

/** A member that another document describes. */
const open = (description: string) => z.unknown().meta({ type: 'object', description });

/** An object that the reference shows once. */
const object = <T extends z.ZodRawShape>(title: string, members: T) => z.object(members).meta({ title });

const mint = {
  mint: text('The mint.'),
  decimals: integer('Decimals of the mint.'),
  symbol: textOrNull('Symbol of the mint; null if it is not well known.'),
};

const terms = {
  merchantId: text('The wallet of the merchant.'),
  recipient: text('The wallet that receives the payment, which is the wallet of the merchant.'),
  amount: text('Base units of the mint.'),
  ...mint,
  cluster: text('The cluster, with -private if both accounts must be private.'),
  externalReference: text("The merchant's own id."),
  description: text('Shown to the payer.').optional(),
  resource: text('What the payment is for, as a URL.').optional(),
  requestHash: text('SHA-256 of the request that the payment is for, hex.').optional(),
  createdAt: time('The time of creation.'),
};

const slot = z.int().nullable().meta({ description: 'The slot in which the transaction landed.' });

const outcome = {
  signature: text('The signature of the transaction, once it is signed.').optional(),
  confirmedAt: time('The time of the outcome.').optional(),
  slot: slot.optional(),
  failure: textOrNull("Solana's TransactionError as JSON text, if the transaction failed.").optional(),
};

const payer = text('The wallet that pays.');

const orderMembers = {
  id: text('The id of the order.'),
  payer,
  ...terms,
  resource: text('What the payment is for, as a URL. Default: the URL of the order.'),
  linkId: text('The id of the payment link that the order was created from.').optional(),
  expiresAt: time('The time until which the order can be paid.'),
  status: choice(
    ['created', 'pending', 'paid', 'failed', 'expired'],
    'created: can be paid until expiresAt. pending: a payment is signed, and its outcome is not known yet. paid, failed: final. expired: not paid in time; it becomes paid if a payment is found to have landed.',
  ),
  settlement: text('Where the payment settles: ephemeral-rollup.'),
  ...outcome,
};

const order = object('Order', orderMembers);

const refund = object('Refund', {
  id: text('The id of the refund.'),
  reference: text("The merchant's own id."),
  amount: text('Base units.'),
  createdAt: time('The time of creation.'),
  status: choice(
    ['created', 'pending', 'paid', 'failed'],
    'created: can be signed, even after an earlier transaction has expired. pending: it is signed, and its outcome is not known yet. paid, failed: final.',
  ),
  ...outcome,
});

const prepared = z.object({
  transactionBase64: text('The unsigned transaction.'),
  recentBlockhash: text('The blockhash of the transaction.'),
  lastValidBlockHeight: integer('The last block in which the transaction can land.'),
  validator: text('The validator of the rollup.'),
  fees: object('Fees', { lamports: text('Always 0.'), tokens: text('Always 0.') }),
  explanation: open('The effects of the transaction, as POST /v1/transaction/explain shows them.').optional(),
});

const event = object('Event', {
  id: text('The id of the event, which is also in the webhook-id header.'),
  type: choice(
    ['payment.paid', 'payment.failed', 'payment.expired', 'refund.paid', 'refund.failed', 'refund.expired'],
    'The outcome. expired: the signed transaction can never land.',
  ),
  createdAt: time('The time of the outcome.'),
  delivery: object('Delivery', {
    state: choice(
      ['due', 'delivered', 'abandoned'],
      'due: will be sent, possibly again. abandoned: will not be sent again.',
    ),
    attempts: integer('Attempts so far.'),
    status: z.int().nullable().meta({ description: 'HTTP status of the last response; null if none.' }),
    attemptedAt: textOrNull('The time of the last attempt; null before the first.'),
  }),
});

const link = object('PaymentLink', {
  id: text('The id of the link.'),
  ...terms,
  expiresInSeconds: integer('Time for which each order can be paid, in seconds.'),
});

const receipt = object('Receipt', {
  type: z.enum(['payment', 'refund']),
  orderId: text('The id of the order.'),
  reference: text("The merchant's own id for the order or the refund."),
  payer: text('The wallet that paid.'),
  recipient: text('The wallet that received the payment.'),
  amount: text('Base units.'),
  ...mint,
  cluster: text('The cluster of the order.'),
  signature: text('The signature of the transaction.'),
  slot,
  confirmedAt: time('The time of the outcome.'),
});

const hasMore = z.boolean().meta({ description: 'Whether there may be more.' });

/** Schemas of the responses. */
export const ANSWERS = {
  challenge: z.object({
    id: text('The id of the challenge. Send it as challengeId.'),
    wallet: text("The merchant's wallet."),
    purpose: text('register or rotate-key.'),
    message: text('The text that the wallet signs, as UTF-8 bytes.'),
    expiresAt: integer('Unix time until which the challenge is valid, in ms.'),
  }),
  key: z.object({
    merchantId: text('The id of the merchant: its wallet.'),
    wallet: text("The merchant's wallet."),
    apiKey: text('The API key. It is shown only here.'),
    webhookSecret: text('The secret that signs the events (Standard Webhooks).'),
  }),
  webhook: z.object({
    url: textOrNull('The URL that receives the events; null for none.'),
    secret: text('The secret that signs the events (Standard Webhooks).'),
  }),
  order,
  newOrder: z.object({
    payment: order,
    accessToken: text('The bearer token with which the payer reads and pays the order.'),
    checkoutUrl: text('The URL of the order in this API.'),
    pageUrl: text('The page on which the payer pays. It contains the access token.'),
    paymentUrls: object('PaymentUrls', {
      x402: text('The URL to which x402 clients send a POST request.'),
      mpp: text('The URL to which MPP clients send a POST request.'),
    }),
  }),
  orderWithRefunds: z.object({ ...orderMembers, refunds: z.array(refund) }),
  orders: z.object({ data: z.array(order), hasMore }),
  preparedOrder: z.object({ payment: order, ...prepared.shape }),
  refund,
  newRefund: z.object({ refund, ...prepared.partial().shape }),
  event,
  events: z.object({ data: z.array(event) }),
  link,
  newLink: z.object({
    link,
    url: text('The URL of the link in this API.'),
    pageUrl: text('The page on which anyone can pay.'),
  }),
  receipts: z.object({ data: z.array(receipt), hasMore }),
  kinds: z.object({
    kinds: z.array(open('x402Version, scheme, network and extra.')),
    extensions: z.array(z.string()),
    signers: open('Empty, because only payers sign.'),
  }),
  verdict: z.object({
    isValid: z.boolean(),
    invalidReason: text('An error code.').optional(),
    invalidMessage: text('What to change.').optional(),
    payer,
  }),
  settlement: z.object({
    success: z.boolean().meta({ description: 'Whether the order is paid.' }),
    errorReason: text('settlement_pending if the outcome is not known yet.').optional(),
    transaction: text('The signature of the transaction.'),
    network: text('The network (CAIP-2).'),
    payer,
    amount: text('Base units.').optional(),
    extensions: open('The id of the order.'),
  }),
  x402Terms: object('X402Terms', {
    x402Version: z.literal(2),
    resource: open('What the payment is for.'),
    accepts: z.array(open('The requirement, with the unsigned transaction in extra.')),
  }),
  mppTerms: object('MppTerms', {
    paymentId: text('The id of the order.'),
    challenge: open('The challenge, with the unsigned transaction in its request.'),
  }),
} as const;
