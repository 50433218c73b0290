import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Credential, Method, Receipt, z } from 'mppx';
import { Mppx } from 'mppx/client';

/**
 * Clients of both protocols, with the payment method for merchants' orders. `sign` signs a transaction in
 * base64.
 */
export const payers = [
  {
    name: 'x402',
    open: (sign) => {
      const scheme = {
        scheme: 'exact-magicblock',
        createPaymentPayload: async (x402Version, { extra }) => ({
          x402Version,
          payload: { paymentId: extra.paymentId, transaction: sign(extra.transaction) },
        }),
      };
      // The client knows no assets for this scheme, so its spending caps would reject every payment.
      const client = new x402Client().setSpendControls(false).register('solana:*', scheme);
      return wrapFetchWithPayment(fetch, client);
    },
    signatureIn: ({ headers }) => decodePaymentResponseHeader(headers.get('payment-response')).transaction,
  },
  {
    name: 'mpp',
    open: (sign) => {
      const payload = z.object({ paymentId: z.string(), transaction: z.string() });
      const request = z.record(z.string(), z.unknown());
      const schema = { credential: { payload }, request };
      const charge = Method.toClient(Method.from({ name: 'magicblock', intent: 'charge', schema }), {
        createCredential: async ({ challenge }) => {
          const { paymentId, transaction } = challenge.request.methodDetails;
          return Credential.serialize({ challenge, payload: { paymentId, transaction: sign(transaction) } });
        },
      });
      return Mppx.create({ methods: [charge], polyfill: false }).fetch;
    },
    signatureIn: (response) => Receipt.fromResponse(response).reference,
  },
];
