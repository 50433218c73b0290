// An x402 resource server: `resource-server.mjs LEDGER_URL FACILITATOR_URL SECRET_KEY`. It calls the stock
// facilitator in its own process, or the one at the URL. Both sign with the same key. Each POST runs a step:
// `prepare` builds payments with the stock client. `verify` and `settle` call a facilitator for each payment,
// `atOnce` at a time, and respond with the durations in ms.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { createKeyPairSignerFromBytes, createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { x402Client } from '@x402/core/client';
import { x402Facilitator } from '@x402/core/facilitator';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { toFacilitatorSvmSigner } from '@x402/svm';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { registerExactSvmScheme } from '@x402/svm/exact/facilitator';

// The CAIP-2 id of mainnet, which a localnet also uses.
const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const [ledgerUrl, facilitatorUrl, secretKey] = process.argv.slice(2);

const sponsor = await createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(secretKey)));
const signer = toFacilitatorSvmSigner(sponsor, { defaultRpcUrl: ledgerUrl });
const facilitators = {
  stock: registerExactSvmScheme(new x402Facilitator(), { signer, networks: NETWORK }),
  this: new HTTPFacilitatorClient({ url: facilitatorUrl }),
};
let payments = [];

const steps = {
  async prepare({ rpcUrl, payer, payTo, extra, count }) {
    const wallet = await createKeyPairSignerFromPrivateKeyBytes(Buffer.from(payer, 'hex'));
    const client = new x402Client().register(NETWORK, new ExactSvmScheme(wallet, { rpcUrl }));
    const requirement = {
      scheme: 'exact',
      network: NETWORK,
      amount: '1',
      asset: USDC,
      payTo,
      maxTimeoutSeconds: 60,
      extra: { feePayer: sponsor.address, ...extra },
    };
    const required = { x402Version: 2, resource: { url: 'http://127.0.0.1/' }, accepts: [requirement] };
    payments = [];
    while (payments.length < count) {
      payments.push([await client.createPaymentPayload(required), requirement]);
    }
  },
  verify: ({ facilitator, atOnce }) =>
    timeEach(atOnce, async (payment) => (await facilitators[facilitator].verify(...payment)).isValid),
  settle: ({ facilitator, atOnce }) =>
    timeEach(atOnce, async (payment) => (await facilitators[facilitator].settle(...payment)).success),
};

async function timeEach(atOnce, call) {
  const durationsMs = [];
  const left = payments.values();
  const drive = async () => {
    for (const payment of left) {
      const startMs = performance.now();
      const isDone = await call(payment);
      durationsMs.push(performance.now() - startMs);
      if (!isDone) throw new Error('a payment was refused');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, drive));
  return durationsMs;
}

const http = createServer(async (request, response) => {
  const { step, ...order } = await json(request);
  response.end(JSON.stringify((await steps[step](order)) ?? null));
});
http.listen(0, '127.0.0.1', () => process.stdout.write(`ready ${http.address().port}\n`));
