import { Copy } from '../parts/copy.tsx';
import { KeyValue } from '../parts/key-value.tsx';
import { dateTime, msOf, shorten } from '../parts/short-text.ts';
import { Status, type StatusKind } from '../parts/status.tsx';
import type { Order } from './order.ts';

const STATES: Readonly<Record<Order['status'], readonly [StatusKind, string, string]>> = {
  created: ['wait', 'Waiting for your payment', ''],
  pending: ['wait', 'Sent', 'Waiting for the ledger. This takes a moment; you need not pay again.'],
  paid: ['ok', 'Paid', 'The merchant has the money. You can close this page.'],
  failed: [
    'bad',
    'Failed',
    'The ledger rejected the payment. No money moved. Ask the merchant for a new order.',
  ],
  expired: ['warn', 'Expired', 'Nothing was paid in time. Ask the merchant for a new order.'],
};

/** The state of an order, which screen readers announce when it changes, and its receipt. */
export function Outcome({ order, isOffline }: { readonly order: Order | null; readonly isOffline: boolean }) {
  const [kind, title, text] = STATES[order?.status ?? 'created'];
  return (
    <>
      <div class="state" role="status">
        <Status kind={kind}>
          <b>{title}</b>
        </Status>
        {text === '' ? null : <p class="small muted">{text}</p>}
        {isOffline ? <p class="small muted">The service does not answer. Trying again.</p> : null}
      </div>
      {order?.status === 'paid' ? <Receipt {...order} /> : null}
    </>
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
