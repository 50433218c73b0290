import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Receipt } from 'mppx';
import { McpClient } from 'mppx/mcp/client';
import { Mppx, solana } from '@solana/mpp/client';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  findAcceptsObjectFromSignedOffer,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';

/** Stock clients that buy a call of a tool. `buy` returns the transaction that paid for it. */
export const buyers = [
  { name: '@x402/fetch, REST', open: openX402Fetch },
  { name: '@x402/core, MCP', open: openX402Mcp },
  { name: 'mppx, REST', open: openMppFetch },
  { name: 'mppx, MCP', open: openMppMcp },
];

const x402 = ({ payer, rpcUrl }) =>
  new x402Client().register('solana:*', new ExactSvmScheme(payer, { rpcUrl }));

/** Needs no URL of a node, because the terms contain what a transaction needs. */
const mppMethods = ({ payer }) => [solana.charge({ signer: payer })];

/** Verifies the signatures of a purchase's terms and receipt, and that both describe the same sale. */
async function checkSignatures({ payer }, terms, settled) {
  const [offer, ...others] = extractOffersFromPaymentRequired(terms);
  assert.equal(others.length, terms.accepts.length - 1);
  await verifyOfferSignatureJWS(offer);
  assert.equal(findAcceptsObjectFromSignedOffer(offer, terms.accepts), terms.accepts[0]);
  const { receipt } = settled.extensions['offer-receipt'].info;
  await verifyReceiptSignatureJWS(receipt);
  assert(verifyReceiptMatchesOffer(receipt, decodeSignedOffers([offer])[0], [payer.address]));
}

function openX402Fetch(order) {
  const payer = x402(order);
  return {
    fetch: wrapFetchWithPayment(fetch, payer),
    buy: async () => {
      let terms;
      const listeningFetch = async (...request) => {
        const response = await fetch(...request);
        const header = response.headers.get('payment-required');
        if (header !== null) terms = decodePaymentRequiredHeader(header);
        return response;
      };
      const payingFetch = wrapFetchWithPayment(listeningFetch, payer);
      const response = await payingFetch(order.restUrl, order.restInit);
      if (!response.ok) throw new Error(await response.text());
      const settled = decodePaymentResponseHeader(response.headers.get('payment-response'));
      await checkSignatures(order, terms, settled);
      return settled.transaction;
    },
    close: () => undefined,
  };
}

function openMppFetch(order) {
  const mppx = Mppx.create({ methods: mppMethods(order), polyfill: false });
  return {
    fetch: mppx.fetch,
    buy: async () => {
      const response = await mppx.fetch(order.restUrl, order.restInit);
      if (!response.ok) throw new Error(await response.text());
      return Receipt.fromResponse(response).reference;
    },
    close: () => undefined,
  };
}

async function connect(mcpUrl) {
  const client = new Client({ name: 'clients', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl)));
  return client;
}

/** No stock MCP client of x402 is installed, so this one follows the transport's three steps. */
async function openX402Mcp(order) {
  const client = await connect(order.mcpUrl);
  const payer = x402(order);
  const call = (meta) => client.callTool({ name: order.tool, arguments: order.args, _meta: meta });
  return {
    buy: async () => {
      const { structuredContent: terms } = await call({});
      const payment = await payer.createPaymentPayload(terms);
      const { isError, content, _meta: meta } = await call({ 'x402/payment': payment });
      if (isError) throw new Error(JSON.stringify(content));
      const settled = meta['x402/payment-response'];
      await checkSignatures(order, terms, settled);
      return settled.transaction;
    },
    close: () => client.close(),
  };
}

async function openMppMcp(order) {
  const client = McpClient.wrap(await connect(order.mcpUrl), { methods: mppMethods(order) });
  return {
    buy: async () => {
      const paid = await client.callTool({ name: order.tool, arguments: order.args });
      if (paid.isError) throw new Error(JSON.stringify(paid.content));
      return paid.receipt.reference;
    },
    close: () => client.close(),
  };
}
