/** What is paid, as `GET /v1/payment-links/{merchantId}/{linkId}` shows it. */
export interface Terms {
  /** The wallet of the merchant, which is paid. */
  readonly merchantId: string;
  /** Base units, decimal. */
  readonly amount: string;
  readonly mint: string;
  readonly decimals?: number;
  /** Symbol of a well-known mint; else null. */
  readonly symbol?: string | null;
  /** The cluster, with `-private` if only the parties may read the payment. */
  readonly cluster: string;
  /** The merchant's text. Not trusted. */
  readonly description?: string;
  /** What is paid for, as a URL that the merchant chose. Not trusted. Default: the URL of the order. */
  readonly resource?: string;
}

/** An order, as `GET /v1/payments/{id}` shows it. */
export interface Order extends Terms {
  readonly id: string;
  /** The wallet that pays. */
  readonly payer: string;
  /** ISO time. */
  readonly expiresAt: string;
  readonly status: 'created' | 'pending' | 'paid' | 'failed' | 'expired';
  readonly signature?: string;
  /** ISO time. */
  readonly confirmedAt?: string;
  readonly slot?: number | null;
  /** Absent in responses to a payment, which has none yet. */
  readonly refunds?: readonly Refund[];
}

/** A return of a part of a payment, which the merchant signs. */
interface Refund {
  readonly id: string;
  /** Base units, decimal. */
  readonly amount: string;
  /** `created` is not signed. */
  readonly status: 'created' | 'pending' | 'paid' | 'failed';
  /** ISO time. */
  readonly confirmedAt?: string;
}

/** The used part of an explanation of a transaction. Amounts are base units. */
interface Explanation {
  readonly verdict: 'danger' | 'caution' | 'clear';
  readonly instructions: readonly { readonly text: string; readonly known: boolean }[];
  readonly effects: {
    readonly tokens: readonly {
      readonly owner: string | null;
      readonly mint: string | null;
      readonly change: string | null;
    }[];
    readonly lamports: readonly unknown[];
    readonly accountsCreated: readonly unknown[];
  };
  /** Null if the ledger could not be read. It is unavailable for private accounts. */
  readonly simulation: { readonly status: 'succeeds' | 'fails' | 'unavailable' } | null;
}

/** An unsigned transaction that pays an order, as `POST /v1/payments/{id}/prepare` returns it. */
export interface Prepared {
  readonly transactionBase64: string;
  readonly explanation: Explanation;
}

/** Whether a payment is made on the rollup for its parties only. */
export const isPrivate = ({ cluster }: Terms): boolean => cluster.endsWith('-private');

/** The name of the cluster. */
export const clusterOf = ({ cluster }: Terms): string => cluster.replace(/-private$/, '');

/** Whether nothing about an order changes anymore, except for refunds. */
export const isOver = ({ status }: Order): boolean => status !== 'created' && status !== 'pending';

/** Whether a refund of an order was sent and has no outcome yet. */
export const isReturning = ({ refunds = [] }: Order): boolean =>
  refunds.some(({ status }) => status === 'pending');

/**
 * Returns the host for which the merchant says that an order is; null without one.
 *
 * @param ownHost the host of this service, which is no claim of the merchant.
 */
export function claimedHost({ resource = '' }: Terms, ownHost: string): string | null {
  const host = URL.canParse(resource) ? new URL(resource).host : '';
  return host === '' || host === ownHost ? null : host;
}

/** Whether a transaction pays exactly what the order says, and does nothing else. */
export function isAsOrdered({ explanation }: Prepared, order: Order): boolean {
  const { verdict, instructions, effects } = explanation;
  const { payer, merchantId, amount, mint } = order;
  const found = effects.tokens.map((effect) => `${effect.owner} ${effect.mint} ${effect.change}`);
  const expected = [`${payer} ${mint} -${amount}`, `${merchantId} ${mint} ${amount}`];
  return (
    verdict !== 'danger' &&
    instructions.every(({ known }) => known) &&
    found.sort().join() === expected.sort().join() &&
    effects.lamports.length + effects.accountsCreated.length === 0
  );
}
