import { z } from 'zod';
import { formatTime } from '../ports/clock.ts';
import { jsonReply, type Reply } from '../service/reply.ts';
import type { Checkout } from './checkout.ts';
import { LIST_QUERY, readInput } from './input.ts';
import { showMint } from './order.ts';
import type { Refunds } from './refunds.ts';

/** Number of orders that are read at a time. */
const PAGE = 100;

/** Maximum number of orders that one response covers. */
const ORDERS_MAX = 10_000;

const day = z.iso
  .date({ error: 'must be a date such as 2026-11-30' })
  .meta({ description: 'First or last day, in UTC, on which the orders were created.' })
  // oxlint-disable-next-line no-restricted-globals -- reads a date and no clock
  .transform((text) => Date.parse(`${text}T00:00:00Z`));

/** The query of an export. */
export const RECEIPTS_QUERY = z.strictObject({
  format: z.enum(['json', 'csv'], { error: 'must be json or csv' }).default('json'),
  from: day.optional(),
  to: day.optional(),
  after: LIST_QUERY.shape.after.meta({
    description: 'Continues an export. The Link header of the previous response contains it.',
  }),
});

interface ReceiptParts {
  readonly checkout: Checkout;
  readonly refunds: Refunds;
}

/** A payment or a refund that has settled. */
interface Receipt {
  readonly type: 'payment' | 'refund';
  readonly orderId: string;
  /** The merchant's own id for the order or the refund. */
  readonly reference: string;
  readonly payer: string;
  readonly recipient: string;
  /** Base units. */
  readonly amount: string;
  readonly mint: string;
  readonly decimals: number;
  readonly symbol: string | null;
  readonly cluster: string;
  readonly signature: string;
  readonly slot: number | null;
  readonly confirmedAt: string;
}

const COLUMNS = [
  'type',
  'orderId',
  'reference',
  'payer',
  'recipient',
  'amount',
  'mint',
  'decimals',
  'symbol',
  'cluster',
  'signature',
  'slot',
  'confirmedAt',
] as const satisfies readonly (keyof Receipt)[];

/**
 * Exports the settled payments and refunds of a merchant as JSON or CSV (RFC 4180), newest order first.
 * Anyone can create orders with a payment link, so one response may not cover all of them. Its `Link` header
 * (RFC 8288) then has the URL of the rest.
 *
 * @param query the format, and the first (`from`) and the last (`to`) day in UTC on which orders were
 *   created.
 * @throws {ServiceError} INVALID_REQUEST.
 */
export async function writeReceipts(
  parts: ReceiptParts,
  merchant: string,
  query: Record<string, string>,
): Promise<Reply> {
  const { format, from = 0, to, after } = readInput(RECEIPTS_QUERY, query);
  const until = to === undefined ? Infinity : to + DAY_MS;
  const { receipts, next } = await listReceipts(parts, merchant, from, until, after);
  const rest = new URLSearchParams({ ...query, ...(next !== undefined && { after: next }) });
  const headers = next === undefined ? [] : ['link', `</v1/receipts?${rest}>; rel="next"`];
  if (format === 'json') {
    return { ...jsonReply(JSON.stringify({ data: receipts, hasMore: next !== undefined })), headers };
  }
  const lines = [
    COLUMNS.join(','),
    ...receipts.map((each) => COLUMNS.map((name) => cell(each[name])).join(',')),
  ];
  return {
    status: 200,
    body: `${lines.join('\r\n')}\r\n`,
    contentType: 'text/csv; charset=utf-8',
    headers: [...headers, 'content-disposition', 'attachment; filename="receipts.csv"'],
  };
}

const DAY_MS = 86_400_000;

/**
 * Lists the receipts of orders that were created at or after `fromMs` and before `toMs` (Unix ms).
 *
 * @param start the id of the order after which to start. Default: the start of the list.
 * @returns the receipts, and the id of the last order that was read, if there are more.
 */
async function listReceipts(
  { checkout, refunds }: ReceiptParts,
  merchant: string,
  fromMs: number,
  toMs: number,
  start: string | undefined,
): Promise<{ readonly receipts: readonly Receipt[]; readonly next?: string | undefined }> {
  const receipts: Receipt[] = [];
  let after = start;
  for (let read = 0; read < ORDERS_MAX; read += PAGE) {
    const page =
      after === undefined && toMs < Infinity
        ? await checkout.listBefore(merchant, PAGE, { createdMs: toMs, id: '' })
        : await checkout.list(merchant, PAGE, after);
    for (const { order, payment } of page) {
      if (order.createdMs < fromMs) return { receipts };
      if (order.createdMs >= toMs) continue;
      const entries = [
        { type: 'payment' as const, reference: order.externalReference, payment },
        ...(await Promise.all(
          order.refunds.map(async ({ id, reference }) => ({
            type: 'refund' as const,
            reference,
            payment: await refunds.paymentOf(id),
          })),
        )),
      ];
      for (const { type, reference, payment: paid } of entries) {
        if (paid?.state !== 'settled') continue;
        receipts.push({
          type,
          orderId: order.id,
          reference,
          payer: paid.payer,
          recipient: paid.payTo,
          amount: String(paid.amount),
          ...showMint(order),
          cluster: order.cluster,
          signature: paid.signature,
          slot: paid.slot,
          confirmedAt: formatTime(paid.finishedMs ?? paid.createdMs),
        });
      }
    }
    after = page.at(-1)?.order.id;
    if (page.length < PAGE) return { receipts };
  }
  return { receipts, next: after };
}

/**
 * Writes a cell. Text that a spreadsheet would run as a formula gets a leading apostrophe, because
 * references may come from buyers.
 */
function cell(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
