import { isJsonObject, type JsonObject } from '../input/json-object.ts';
import { META, ProtocolFault, RPC_ERROR } from '../mcp/protocol.ts';
import type { Paying, PaymentDemand, PaymentOffer, Receipt } from './till.ts';

/** Members of `_meta` with payments (x402 transports-v2/mcp; draft-payment-transport-mcp). */
const PAYMENT_META = {
  x402: 'x402/payment',
  mpp: 'org.paymentauth/credential',
} as const;
const RECEIPT_META = {
  x402: 'x402/payment-response',
  mpp: 'org.paymentauth/receipt',
} as const;
const DEMAND_META = 'org.paymentauth/payment-required';

/** The payments that the server takes, for its capabilities (draft-payment-transport-mcp). */
export const PAYMENT_CAPABILITY = {
  experimental: { payment: { methods: { solana: { intents: ['charge'] } } } },
} as const;

/** Returns how the caller of a tool pays. */
export const payingFor = (tool: string, meta: JsonObject, gone: AbortSignal | undefined): Paying => ({
  offer: offerIn(meta),
  resource: `mcp://tool/${tool}`,
  gone: gone ?? new AbortController().signal,
});

function offerIn(meta: JsonObject): PaymentOffer | undefined {
  for (const protocol of ['x402', 'mpp'] as const) {
    const content = meta[PAYMENT_META[protocol]];
    if (content !== undefined) return { protocol, content };
  }
  return undefined;
}

/** The result of a call that is not paid for. */
export interface UnpaidResult {
  readonly content: readonly JsonObject[];
  readonly structuredContent: JsonObject;
  readonly isError: true;
  readonly _meta: JsonObject;
}

/**
 * Writes a demand. Clients that announce payments of MPP or use them get an error of JSON-RPC, as MPP
 * prescribes. All others get a failed result, as x402 prescribes, with the challenges in its `_meta`.
 *
 * @throws {ProtocolFault} for clients of MPP.
 */
export function writeUnpaidResult(demand: PaymentDemand, meta: JsonObject): UnpaidResult {
  const { problem, required, challenges, settlement, isMalformed } = demand;
  const offer = offerIn(meta);
  const data = { httpStatus: 402, challenges, problem: { ...problem, status: 402 } };
  if (offer?.protocol === 'mpp') {
    const code = isMalformed ? RPC_ERROR.invalidParams : RPC_ERROR.paymentVerificationFailed;
    throw new ProtocolFault(code, problem.detail, { data });
  }
  if (offer === undefined && announcesPayments(meta)) {
    throw new ProtocolFault(RPC_ERROR.paymentRequired, 'Payment Required', { data });
  }
  return {
    content: [{ type: 'text', text: JSON.stringify(required) }],
    structuredContent: required,
    isError: true,
    _meta: { [DEMAND_META]: data, ...(settlement && { [RECEIPT_META.x402]: settlement }) },
  };
}

/** Returns the member of `_meta` that proves a payment. */
export const receiptMeta = ({ protocol, content }: Receipt): JsonObject => ({
  [RECEIPT_META[protocol]]: content,
});

function announcesPayments(meta: JsonObject): boolean {
  const capabilities = meta[META.clientCapabilities];
  const experimental = isJsonObject(capabilities) ? capabilities['experimental'] : undefined;
  return isJsonObject(experimental) && experimental['payment'] !== undefined;
}
