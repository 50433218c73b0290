import { invalidCredential, readHeader } from './protocol-header.ts';
import { type Hints, hintsOf, type ProtocolTerms, termsOf } from './protocol-terms.ts';
import type { CheckoutRouteParts } from './routes.ts';
import { type CheckoutHandlers, json, settled } from './serve.ts';

/** A protocol in which clients answer a 402 response with a payment in a header. */
interface PayProtocol {
  readonly name: 'x402' | 'mpp';
  /** Returns the headers and the body of the 402 response. */
  demand(terms: ProtocolTerms, hints: Hints): { readonly headers: readonly string[]; readonly body: object };
  /**
   * Reads a payment.
   *
   * @throws {ServiceError} INVALID_PAYMENT_CREDENTIAL if it is malformed or has different terms.
   */
  read(
    header: string,
    terms: ProtocolTerms,
  ): {
    readonly paymentId: string;
    /** Base64. */
    readonly transaction: string;
  };
  /** Returns the headers of the response to a payment. */
  receipt(terms: ProtocolTerms): readonly string[];
}

/**
 * Creates a handler that pays an order. Without a payment, it responds with 402 and the terms, or with the
 * order if the order is already paid or pending.
 */
export function payHandler(parts: CheckoutRouteParts, protocol: PayProtocol): CheckoutHandlers[string] {
  const { access, checkout } = parts;
  return async ({ context, origin }) => {
    const header = readHeader(context.headers, protocol.name);
    const found = await access.order(context);
    const terms = termsOf(parts, found, origin);
    if (header === undefined) {
      const { shown } = terms;
      const isSent = shown.status === 'paid' || shown.status === 'pending';
      if (isSent && found.payment !== undefined) {
        return { ...settled(found.payment, shown), headers: protocol.receipt(terms) };
      }
      const { headers, body } = protocol.demand(terms, hintsOf(await checkout.prepare(found)));
      return { ...json(body), status: 402, headers };
    }
    const { paymentId, transaction } = protocol.read(header, terms);
    if (paymentId !== terms.shown.id) throw invalidCredential('payload.paymentId names a different order');
    const payment = await checkout.settle(found, transaction, context.gone);
    const after = termsOf(parts, { ...found, payment }, origin);
    return { ...settled(payment, after.shown), headers: protocol.receipt(after) };
  };
}
