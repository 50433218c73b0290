import { readBearerToken } from '../http/bearer-token.ts';
import type { PreparedTransfer } from './agreed-transfer.ts';
import { explainTransfer } from './explain-transfer.ts';
import { BODIES, LIST_QUERY, readInput } from './input.ts';
import {
  clusterOf,
  type OrderWithPayment,
  showNewOrder,
  showOrder,
  type ShownOrder,
  showRefund,
} from './order.ts';
import type { CheckoutRouteParts } from './routes.ts';
import { type CheckoutHandlers, json, queryOf, settled } from './serve.ts';

/** Payers need no lamports on a rollup. */
const NO_FEES = { lamports: '0', tokens: '0' };

/** Creates the handlers for orders. */
export function orderHandlers(parts: CheckoutRouteParts): CheckoutHandlers {
  const { access, checkout, refunds, clusters, clock } = parts;
  const show = (found: OrderWithPayment): ShownOrder => showOrder(found, clock.now());
  const showAll = async (found: OrderWithPayment): Promise<object> => {
    const made = found.order.refunds;
    const payments = await Promise.all(made.map(({ id }) => refunds.paymentOf(id)));
    return { ...show(found), refunds: made.map((refund, at) => showRefund(refund, payments[at])) };
  };
  return {
    'POST /v1/payments': async ({ context, body, origin }) => {
      const { id } = await access.merchant(context);
      const { payer, ...input } = readInput(BODIES.order, body);
      return json(
        await showNewOrder(await checkout.create(id, payer, input, origin), checkout, origin, clock.now()),
      );
    },
    'GET /v1/payments': async ({ context }) => {
      const { id } = await access.merchant(context);
      const { limit, after } = readInput(LIST_QUERY, queryOf(context));
      const found = await checkout.list(id, limit, after);
      return json({ data: found.map(show), hasMore: found.length === limit });
    },
    'GET /v1/payments/{id}': async ({ context }) => json(await showAll(await access.order(context))),
    'POST /v1/payments/{id}/prepare': async ({ context, body }) => {
      const { explain } = readInput(BODIES.prepare, body);
      const found = await access.order(context);
      const prepared = await checkout.prepare(found);
      const explained = explain && { explanation: await explainTransfer(clusters, wayOf(found, prepared)) };
      return json({ payment: show(found), ...prepared, fees: NO_FEES, ...explained });
    },
    'POST /v1/payments/{id}/settle': async ({ context, body }) => {
      const { transactionBase64 } = readInput(BODIES.transaction, body);
      const found = await access.order(context);
      const payment = await checkout.settle(found, transactionBase64, context.gone);
      return settled(payment, show({ ...found, payment }));
    },
  };
}

/** Returns the transaction that pays an order, for {@link explainTransfer}. */
const wayOf = ({ order }: OrderWithPayment, { transactionBase64 }: PreparedTransfer) => ({
  transactionBase64,
  cluster: clusterOf(order),
  from: order.payer,
  to: order.owner,
  token: undefined,
});

/** Creates the handlers for refunds. */
export function refundHandlers({ access, refunds, clusters }: CheckoutRouteParts): CheckoutHandlers {
  return {
    'POST /v1/payments/{id}/refunds': async ({ context, body }) => {
      const { reference, amount } = readInput(BODIES.refund, body);
      const { order } = await access.ownOrder(context);
      const refund = await refunds.create(order.id, reference, amount);
      const prepared = await refunds.prepare(order, refund);
      const shown = showRefund(refund, await refunds.paymentOf(refund.id));
      if (prepared === null) return json({ refund: shown });
      const explanation = await explainTransfer(clusters, {
        transactionBase64: prepared.transactionBase64,
        cluster: clusterOf(order),
        from: order.owner,
        to: order.payer,
        token: readBearerToken(context.headers['rollup-authorization']?.toString()),
      });
      return json({ refund: shown, ...prepared, fees: NO_FEES, explanation });
    },
    'POST /v1/payments/{id}/refunds/{refundId}/settle': async ({ context, body }) => {
      const { transactionBase64 } = readInput(BODIES.transaction, body);
      const { order } = await access.ownOrder(context);
      const [, refundId = ''] = context.variables;
      const { refund, payment } = await refunds.settle(order, refundId, transactionBase64, context.gone);
      return settled(payment, showRefund(refund, payment));
    },
  };
}
