import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import express from 'express';
import { Receipt } from 'mppx';
import { payment } from 'mppx/express';
import { Mppx as MppClient, solana } from '@solana/mpp/client';
import { Mppx as MppServer, solana as solanaServer } from '@solana/mpp/server';

/** mppx with the payment method of @solana/mpp, on both sides. The merchant pays the fees. */
export const protocols = [{ name: 'MPP', open }];

async function open(place) {
  const server = serve(place);
  await once(server, 'listening');
  let last;
  const { fetch: payingFetch } = MppClient.create({
    methods: [solana.charge({ signer: place.payer, rpcUrl: place.rpcUrl })],
    polyfill: false,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (request.headers.has('authorization')) last = request.clone();
      return await fetch(request);
    },
  });
  return {
    feePayer: place.sponsor.address,
    async pay() {
      const response = await payingFetch(
        `http://127.0.0.1:${server.address().port}/paid?order=${randomUUID()}`,
      );
      const signature = response.ok ? Receipt.fromResponse(response).reference : undefined;
      return { status: response.status, signature, text: await response.text() };
    },
    async payAgain() {
      // The stock server reports the ledger's refusal on the console.
      const { error } = console;
      console.error = () => undefined;
      const { ok, status } = await fetch(last).finally(() => (console.error = error));
      return ok ? 'settled' : `HTTP ${status}`;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function serve({ merchant, mint, price, merchantRpcUrl, sponsor }) {
  const { charge } = MppServer.create({
    secretKey: randomBytes(32).toString('base64'),
    realm: '127.0.0.1',
    methods: [
      solanaServer.charge({
        recipient: merchant,
        currency: mint,
        decimals: 6,
        network: 'localnet',
        rpcUrl: merchantRpcUrl,
        signer: sponsor,
      }),
    ],
  });
  const app = express();
  app.get(
    '/paid',
    // The order's number becomes the memo. Without it, equal payments of one slot would be one transaction.
    (request, response, next) =>
      payment(charge, { amount: price, currency: mint, externalId: request.query.order })(
        request,
        response,
        next,
      ),
    (_, response) => response.json({ paid: true }),
  );
  return app.listen(0, '127.0.0.1');
}
