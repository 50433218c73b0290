/** The terms of a payment, as `GET /v1/payment-links/{merchantId}/{linkId}` returns them. */
export interface Terms {
  /** The merchant's wallet, which receives the payment. */
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
  /** URL of the purchased item, chosen by the merchant. Not trusted. Default: the URL of the order. */
  readonly resource?: string;
}

/** An order, as `GET /v1/payments/{id}` returns it. */
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
  /** Absent in the response to a payment, because it has no refunds yet. */
  readonly refunds?: readonly Refund[];
}

/** A refund of part of a payment, signed by the merchant. */
interface Refund {
  readonly id: string;
  /** Base units, decimal. */
  readonly amount: string;
  /** A `created` refund is not signed yet. */
  readonly status: 'created' | 'pending' | 'paid' | 'failed';
  /** ISO time. */
  readonly confirmedAt?: string;
}

/** The parts of a transaction's explanation that the page uses. Amounts are base units. */
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
  /** Null if the ledger could not be read; `unavailable` for private accounts. */
  readonly simulation: { readonly status: 'succeeds' | 'fails' | 'unavailable' } | null;
}

/** An unsigned transaction that pays an order, as `POST /v1/payments/{id}/prepare` returns it. */
export interface Prepared {
  readonly transactionBase64: string;
  readonly explanation: Explanation;
}

/** Whether only the parties can read a payment on the rollup. */
export const isPrivate = ({ cluster }: Terms): boolean => cluster.endsWith('-private');

/** The name of the cluster. */
export const clusterOf = ({ cluster }: Terms): string => cluster.replace(/-private$/, '');

/** Whether an order is final, except for refunds. */
export const isOver = ({ status }: Order): boolean => status !== 'created' && status !== 'pending';

/** Whether a refund of an order was sent and has no outcome yet. */
export const isReturning = ({ refunds = [] }: Order): boolean =>
  refunds.some(({ status }) => status === 'pending');

/**
 * Returns the host that the merchant claims for an order; null if there is none.
 *
 * @param ownHost the host of this service, which does not count as a claim.
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
