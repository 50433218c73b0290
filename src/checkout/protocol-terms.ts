import { CAIP2 } from '../chain/caip2.ts';
import type { Clusters } from '../chain/clusters.ts';
import { canonicalize } from '../service/input/canonicalize.ts';
import { isJsonObject, type JsonObject } from '../service/input/json-object.ts';
import type { PreparedTransfer } from './agreed-transfer.ts';
import { clusterOf, type OrderWithPayment, showOrder, type ShownOrder } from './order.ts';
import { invalidCredential } from './protocol-header.ts';
import type { CheckoutRouteParts } from './routes.ts';

/** The terms of an order, as x402 and MPP offer them to a client. */
export interface ProtocolTerms {
  readonly shown: ShownOrder;
  /** CAIP-2. */
  readonly network: string;
  /** The host of this service. */
  readonly realm: string;
}

/** Returns the CAIP-2 id of the network of a cluster. */
export function networkOf(clusters: Clusters, cluster: string): string {
  const { network } = clusters.resolve(clusterOf({ cluster }));
  return network === 'devnet' ? CAIP2.devnet : CAIP2.mainnet;
}

/** Returns the terms of an order for both protocols. @param origin the public origin of this service. */
export function termsOf(
  { clock, clusters }: Pick<CheckoutRouteParts, 'clock' | 'clusters'>,
  found: OrderWithPayment,
  origin: string,
): ProtocolTerms {
  const shown = showOrder(found, clock.now());
  return { shown, network: networkOf(clusters, shown.cluster), realm: new URL(origin).host };
}

/**
 * The transaction to sign, as a hint for the client. Each response has new hints, so a payment may contain
 * older ones. The signed transaction is checked instead.
 */
export type Hints = ReturnType<typeof hintsOf>;

/** Returns the hints for a prepared transaction. */
export const hintsOf = ({ transactionBase64, ...life }: PreparedTransfer) => ({
  transaction: transactionBase64,
  recentBlockhash: life.recentBlockhash,
  lastValidBlockHeight: life.lastValidBlockHeight,
  validator: life.validator,
});

const HINTS: ReadonlySet<string> = new Set<keyof Hints>([
  'transaction',
  'recentBlockhash',
  'lastValidBlockHeight',
  'validator',
]);

/** Returns the members that both protocols share, without hints. */
export const detailsOf = ({ shown }: ProtocolTerms) => ({
  paymentId: shown.id,
  merchantId: shown.merchantId,
  payer: shown.payer,
  cluster: shown.cluster,
  settlement: shown.settlement,
  resource: shown.resource,
  ...(shown.requestHash !== undefined && { requestHash: shown.requestHash }),
});

/** Returns a value without the hints in its member `name`. */
export function withoutHints(value: unknown, name: string): unknown {
  if (!isJsonObject(value) || !isJsonObject(value[name])) return value;
  const binding = Object.entries(value[name]).filter(([member]) => !HINTS.has(member));
  return { ...value, [name]: Object.fromEntries(binding) };
}

/** @throws {ServiceError} INVALID_PAYMENT_CREDENTIAL if a part of a payment differs from the offer. */
export function requireSame(given: unknown, offered: JsonObject, name: string): void {
  if (canonicalize(given) === canonicalize(offered)) return;
  const place = differenceOf(given, offered, name);
  throw invalidCredential(`${place} differs from the terms of the order: request the terms again`);
}

/** Returns the path of the first member that differs. */
function differenceOf(given: unknown, offered: unknown, path: string): string {
  if (!isJsonObject(given) || !isJsonObject(offered)) return path;
  const names = [...Object.keys(offered), ...Object.keys(given)];
  const name = names.find((each) => canonicalize(given[each]) !== canonicalize(offered[each]));
  return name === undefined ? path : differenceOf(given[name], offered[name], `${path}.${name}`);
}
