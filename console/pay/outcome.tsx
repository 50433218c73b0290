import { Copy } from '../parts/copy.tsx';
import { KeyValue } from '../parts/key-value.tsx';
import { dateTime, msOf, shorten } from '../parts/short-text.ts';
import { Status, type StatusKind } from '../parts/status.tsx';
import { Price } from './bill.tsx';
import { isPrivate, type Order, type Terms } from './order.ts';

/** The kind of a state, its name, and what it means for the buyer. */
type State = readonly [StatusKind, string, string];

const STATES: Readonly<Record<Exclude<Order['status'], 'created'>, State>> = {
  pending: ['wait', 'Sent', 'Waiting for the ledger. This takes a moment. Do not pay again.'],
  paid: ['ok', 'Paid', 'The merchant has the money. You can close this page.'],
  failed: [
    'bad',
    'Failed',
    'The ledger rejected the payment. No money moved. Ask the merchant for a new order.',
  ],
  expired: ['warn', 'Expired', 'The order was not paid in time. Ask the merchant for a new order.'],
};

function stateOf(terms: Terms, order: Order | null): State {
  if (order === null || order.status === 'created') {
    const token = `${isPrivate(terms) ? 'private ' : ''}balance of ${terms.symbol ?? 'this token'}`;
    return ['wait', 'Waiting for your payment', `To pay, you need a ${token} on this rollup.`];
  }
  const returned = (order.refunds ?? [])
    .filter(({ status }) => status === 'paid')
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  if (returned === 0n) return STATES[order.status];
  return returned < BigInt(order.amount)
    ? ['ok', 'Paid, and partly refunded', 'The merchant has returned part of the money.']
    : ['ok', 'Refunded', 'The merchant has returned all of the money.'];
}

interface OutcomeProps {
  readonly terms: Terms;
  readonly order: Order | null;
  readonly isOffline: boolean;
}

/** The state of an order, which screen readers announce when it changes, and its receipt. */
export function Outcome({ terms, order, isOffline }: OutcomeProps) {
  const [kind, title, text] = stateOf(terms, order);
  return (
    <>
      <div class="state" role="status">
        <Status kind={kind}>
          <b>{title}</b>
        </Status>
        <p class="small muted">{text}</p>
        {order === null ? null : <Refunds order={order} />}
        {isOffline ? <p class="small muted">The service does not answer. Trying again.</p> : null}
      </div>
      {order?.status === 'paid' ? <Receipt {...order} /> : null}
    </>
  );
}

/** The refunds that have arrived or are on their way. */
function Refunds({ order }: { readonly order: Order }) {
  const { refunds = [] } = order;
  return (
    <ul class="small">
      {refunds.map(({ id, amount, status, confirmedAt = '' }) => {
        const price = <Price terms={order} base={BigInt(amount)} size="plain" />;
        if (status === 'paid')
          return (
            <li key={id}>
              {price} was returned at {dateTime(msOf(confirmedAt))}
            </li>
          );
        if (status === 'pending') return <li key={id}>{price} is on its way back to you</li>;
        return null;
      })}
    </ul>
  );
}

function Receipt({ confirmedAt, signature = '', slot }: Order) {
  return (
    <div class="pad receipt">
      <KeyValue
        rows={[
          ...(confirmedAt === undefined ? [] : [['Paid at', dateTime(msOf(confirmedAt))] as const]),
          [
            'Signature',
            <span class="mono" title={signature}>
              {shorten(signature, 6)} <Copy text={signature} what="signature" />
            </span>,
          ],
          ...(slot == null ? [] : [['Slot', String(slot)] as const]),
        ]}
      />
    </div>
  );
}
