import { once } from 'node:events';
import express from 'express';
import { decodePaymentSignatureHeader, encodePaymentResponseHeader } from '@x402/core/http';
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server';
import { paymentMiddleware } from '@x402/express';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { ExactSvmScheme as ServerScheme } from '@x402/svm/exact/server';
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client';

/** The names of mainnet, to which a localnet answers. */
const CAIP2 = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const NAME = 'solana';

/** @x402/fetch against @x402/express in version 2, and in version 1 against the same facilitator client. */
export const protocols = [
  { name: 'x402 v2', open: (place) => open(place, serveV2, 'payment-signature') },
  { name: 'x402 v1', open: (place) => open(place, serveV1, 'x-payment') },
];

async function open(place, serve, paymentHeader) {
  const facilitator = new HTTPFacilitatorClient({ url: new URL('/x402', place.serviceUrl).href });
  const { kinds } = await facilitator.getSupported();
  const app = express();
  await serve(app, place, facilitator, kinds[0].extra.feePayer);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new x402Client()
    .register('solana:*', new ExactSvmScheme(place.payer, { rpcUrl: place.rpcUrl }))
    .registerV1(NAME, new ExactSvmSchemeV1(place.payer, { rpcUrl: place.rpcUrl }));
  let last;
  const payingFetch = wrapFetchWithPayment(async (request) => {
    const header = request.headers.get(paymentHeader);
    if (header !== null) last = decodePaymentSignatureHeader(header);
    return await fetch(request);
  }, client);
  const url = `http://127.0.0.1:${server.address().port}/paid`;
  return {
    feePayer: kinds[0].extra.feePayer,
    async pay() {
      const response = await payingFetch(url);
      const header = response.headers.get('payment-response') ?? response.headers.get('x-payment-response');
      const { transaction } = header === null ? {} : decodePaymentResponseHeader(header);
      return { status: response.status, signature: transaction, text: await response.text() };
    },
    async payAgain() {
      const requirement = last.accepted ?? requirementV1(place, kinds[0].extra.feePayer);
      const { success, errorReason } = await facilitator.settle(last, requirement);
      return success ? 'settled' : errorReason;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const extraOf = (isPrivate) => (isPrivate ? { settlement: 'private' } : {});

async function serveV2(app, { merchant, mint, price, isPrivate }, facilitator) {
  const accepts = {
    scheme: 'exact',
    network: CAIP2,
    payTo: merchant,
    price: { asset: mint, amount: price },
    extra: extraOf(isPrivate),
  };
  const server = new x402ResourceServer(facilitator).register('solana:*', new ServerScheme());
  app.use(paymentMiddleware({ 'GET /paid': { accepts, description: 'A paid answer' } }, server));
  app.get('/paid', (_, response) => response.json({ paid: true }));
}

/** No stock server of version 2 answers in version 1, so this one makes the three calls itself. */
async function serveV1(app, place, facilitator, feePayer) {
  const requirement = requirementV1(place, feePayer);
  const refuse = (response, error) =>
    response.status(402).json({ x402Version: 1, error, accepts: [requirement] });
  const answer = async (request, response) => {
    const header = request.get('x-payment');
    if (header === undefined) return refuse(response, 'X-PAYMENT header is required');
    const payment = decodePaymentSignatureHeader(header);
    const { isValid, invalidReason } = await facilitator.verify(payment, requirement);
    if (!isValid) return refuse(response, invalidReason);
    const settled = await facilitator.settle(payment, requirement);
    if (!settled.success) return refuse(response, settled.errorReason);
    return response.set('x-payment-response', encodePaymentResponseHeader(settled)).json({ paid: true });
  };
  app.get('/paid', (request, response, next) => void answer(request, response).catch(next));
}

const requirementV1 = ({ merchant, mint, price, isPrivate }, feePayer) => ({
  scheme: 'exact',
  network: NAME,
  maxAmountRequired: price,
  resource: 'http://127.0.0.1/paid',
  description: 'A paid answer',
  mimeType: 'application/json',
  payTo: merchant,
  maxTimeoutSeconds: 60,
  asset: mint,
  extra: { feePayer, ...extraOf(isPrivate) },
});
