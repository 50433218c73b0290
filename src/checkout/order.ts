import { createHash } from 'node:crypto';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { COMMON_MINTS } from '../payments/mints/common-mints.ts';
import { formatTime } from '../ports/clock.ts';
import { canonicalize } from '../service/input/canonicalize.ts';
import type { Payment } from '../settlement/payment-store.ts';
import type { Address } from '../solana/address.ts';
import type { AgreedTransfer } from './agreed-transfer.ts';
import type { StoredRecord } from './record-store.ts';

/** The price of an order or a payment link, and what the payment is for. */
export interface OrderTerms {
  /** Base units, decimal. */
  readonly amount: string;
  /** base58. */
  readonly mint: string;
  /** Decimals of the mint. */
  readonly decimals: number;
  /** The cluster, with `-private` if both accounts must be private. */
  readonly cluster: string;
  /** The merchant's own id. */
  readonly externalReference: string;
  readonly description: string | null;
  readonly resource: string | null;
  readonly requestHash: string | null;
}

/** An order of a merchant, who owns the record. Only the refunds can change. */
export interface Order extends StoredRecord, OrderTerms {
  /** What the payment is for, as a URL. Default: the URL of the order. */
  readonly resource: string;
  /** Id of the payment link that the order was created from; null without one. */
  readonly linkId: string | null;
  /** base58. */
  readonly payer: string;
  /** Unix time until which the order can be paid, in ms. */
  readonly expiresMs: number;
  /** SHA-256 of the request that created it, hex. */
  readonly inputHash: string;
  readonly refunds: readonly Refund[];
}

/** A refund of all or part of a payment. The merchant signs it. */
export interface Refund {
  readonly id: string;
  /** The merchant's own id. */
  readonly reference: string;
  /** Base units, decimal. */
  readonly amount: string;
  /** Unix time, in ms. */
  readonly createdMs: number;
}

/** A link with which any wallet can create an order. Its merchant owns the record. */
export interface PaymentLink extends StoredRecord, OrderTerms {
  /** Time for which its orders can be paid, in seconds. */
  readonly expiresInSeconds: number;
  readonly inputHash: string;
}

/** An order and the stored payment for it. */
export interface OrderWithPayment {
  readonly order: Order;
  readonly payment: Payment | undefined;
}

/** State of an order. `created`: can be paid. `pending`: a payment is signed, its outcome not known yet. */
type OrderStatus = 'created' | 'pending' | 'paid' | 'failed' | 'expired';

/** Returns the hexadecimal SHA-256 of a JSON value in canonical form (RFC 8785). */
export const digest = (value: unknown, prefix = ''): string =>
  createHash('sha256')
    .update(prefix + canonicalize(value))
    .digest('hex');

/** The suffix of clusters on which both accounts must be private. */
const PRIVATE = '-private';

/** Clusters with one rollup for public and private accounts. Networks have a separate private cluster. */
const MIXED: ReadonlySet<string> = new Set(['localnet', 'custom']);

/** Returns the names of the clusters that orders may use. The first, private if possible, is the default. */
export function orderClusters({ names }: Clusters): readonly string[] {
  const all = names.flatMap((name) => (MIXED.has(name) ? [`${name}${PRIVATE}`, name] : [name]));
  const first = `${names[0]}${PRIVATE}`;
  return all.includes(first) ? [first, ...all.filter((name) => name !== first)] : all;
}

/** Returns the configured cluster of an order. */
export function clusterOf({ cluster }: Pick<OrderTerms, 'cluster'>): string {
  const name = cluster.endsWith(PRIVATE) ? cluster.slice(0, -PRIVATE.length) : cluster;
  return MIXED.has(name) ? name : cluster;
}

/**
 * Returns the transfer that pays an order or a refund.
 *
 * @throws {ServiceError} CLUSTER_NOT_ALLOWED if the operator has removed its cluster.
 */
export function transferOf(
  clusters: Clusters,
  { cluster, mint }: Pick<OrderTerms, 'cluster' | 'mint'>,
  way: { readonly from: string; readonly to: string; readonly amount: string; readonly memo: string },
): AgreedTransfer {
  return {
    chain: clusters.resolve(clusterOf({ cluster })),
    isPrivate: cluster.endsWith(PRIVATE),
    from: way.from as Address,
    to: way.to as Address,
    mint: mint as Address,
    amount: BigInt(way.amount),
    memo: way.memo,
  };
}

/** Identifiers under which the payments of orders and refunds are stored. Payers cannot choose these. */
export const identifierOf = {
  order: (id: string): string => `order:${id}`,
  refund: (id: string): string => `refund:${id}`,
} as const;

/** Returns the state of an order. @param payment the stored payment for it. */
export function statusOf({ expiresMs }: Order, payment: Payment | undefined, nowMs: number): OrderStatus {
  switch (payment?.state) {
    case 'signed':
      return 'pending';
    case 'settled':
      return 'paid';
    case 'failed':
      return 'failed';
    default:
      return nowMs < expiresMs ? 'created' : 'expired';
  }
}

/** Returns the mint of an order or a payment link as the API shows it. */
export const showMint = ({ mint, decimals }: OrderTerms) => ({
  mint,
  decimals,
  symbol: COMMON_MINTS.get(mint as Address)?.symbol ?? null,
});

/** Returns the terms of an order or a payment link as the API shows them. */
export const showTerms = (terms: OrderTerms) => ({
  amount: terms.amount,
  ...showMint(terms),
  cluster: terms.cluster,
  externalReference: terms.externalReference,
  ...(terms.description !== null && { description: terms.description }),
  ...(terms.resource !== null && { resource: terms.resource }),
  ...(terms.requestHash !== null && { requestHash: terms.requestHash }),
});

/** Returns an order as the API shows it. */
export function showOrder({ order, payment }: OrderWithPayment, nowMs: number) {
  const { id, owner, payer } = order;
  const isFinal = payment?.state === 'settled' || payment?.state === 'failed';
  return {
    id,
    merchantId: owner,
    payer,
    recipient: owner,
    ...showTerms(order),
    ...(order.linkId !== null && { linkId: order.linkId }),
    createdAt: formatTime(order.createdMs),
    expiresAt: formatTime(order.expiresMs),
    status: statusOf(order, payment, nowMs),
    settlement: 'ephemeral-rollup',
    ...(payment !== undefined && payment.state !== 'expired' && { signature: payment.signature }),
    ...(isFinal && confirmationOf(payment)),
    ...(payment?.state === 'failed' && { failure: payment.error }),
  };
}

const confirmationOf = ({ finishedMs, slot }: Payment) => ({
  ...(finishedMs !== null && { confirmedAt: formatTime(finishedMs) }),
  slot,
});

/** An order as the API shows it. */
export type ShownOrder = ReturnType<typeof showOrder>;

/** Returns a refund as the API shows it. */
export function showRefund({ id, reference, amount, createdMs }: Refund, payment: Payment | undefined) {
  const state = payment?.state ?? 'expired';
  const status = { signed: 'pending', settled: 'paid', failed: 'failed', expired: 'created' } as const;
  return {
    id,
    reference,
    amount,
    createdAt: formatTime(createdMs),
    status: status[state],
    ...(payment !== undefined && payment.state !== 'expired' && { signature: payment.signature }),
    ...(payment?.state === 'settled' && confirmationOf(payment)),
    ...(payment?.state === 'failed' && { failure: payment.error }),
  };
}

/**
 * Returns a stored record if this request created it, now or before.
 *
 * @throws {ServiceError} `code` if a different request created it.
 */
export function requireSameInput<T extends { readonly inputHash: string }>(
  stored: T,
  inputHash: string,
  code: 'PAYMENT_ORDER_CONFLICT' | 'PAYMENT_LINK_CONFLICT',
): T {
  if (stored.inputHash === inputHash) return stored;
  throw new ServiceError(
    code,
    'externalReference was already used with different terms: repeat the same request, or choose a new reference',
    { field: 'externalReference' },
  );
}

/** Returns the access token and the payment of a new order. */
interface OrderAccess {
  accessTokenOf(orderId: string): string;
  paymentOf(orderId: string): Promise<Payment | undefined>;
}

/**
 * Returns a new order as the API shows it, with its access token and its URLs.
 *
 * @param origin the public origin of this service.
 */
export async function showNewOrder(order: Order, access: OrderAccess, origin: string, nowMs: number) {
  const { id } = order;
  const accessToken = access.accessTokenOf(id);
  return {
    payment: showOrder({ order, payment: await access.paymentOf(id) }, nowMs),
    accessToken,
    checkoutUrl: `${origin}/v1/payments/${id}`,
    // The token is in the fragment, so that browsers do not send it.
    pageUrl: `${origin}/pay/${id}#${accessToken}`,
    paymentUrls: {
      x402: `${origin}/v1/x402/payments/${id}/pay`,
      mpp: `${origin}/v1/mpp/payments/${id}/pay`,
    },
  };
}
