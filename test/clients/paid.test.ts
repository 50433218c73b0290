import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areClientsInstalled, INSTALL_COMMAND } from '../../clients/installed.ts';
import { loadProtocols, type Protocol } from '../../clients/paid/protocol.ts';
import { BALANCES, createFacilitatorKey, payByMachine } from '../../clients/paid/scenario.ts';
import { buyCalls, loadBuyers, openSeller, writePrices } from '../../clients/paid/tools.ts';
import { USDC } from '../../clients/wallet.ts';
import { createPrivatePayments, withPolicy } from '../../src/client/index.ts';
import { folderOfFile } from '../folders.ts';
import { type RunningApp, runApp } from '../client/running-app.ts';

const isSkipped = !areClientsInstalled();
const REASON = isSkipped ? ` (skipped: run \`${INSTALL_COMMAND}\` first)` : '';

describe.skipIf(isSkipped)(`payments by the stock packages of x402 and MPP${REASON}`, () => {
  let app: RunningApp;
  let protocols: readonly Protocol[];

  beforeAll(async () => {
    const { secretKey, address } = createFacilitatorKey();
    protocols = await loadProtocols();
    app = await runApp(undefined, { FACILITATOR_SECRET_KEY: secretKey });
    await app.ask('requestAirdrop', address, 1_000_000_000);
  });
  afterAll(() => app.close());

  it.each(BALANCES)(
    'move exact amounts, also ten at once, and each payment only once: %s',
    async (balances) => {
      for (const protocol of protocols) {
        expect(await payByMachine(app, protocol, balances)).toContain('ten at once: all paid');
      }
    },
  );

  it('spend no more than the policy of the wallet allows', async () => {
    const sponsor = await app.wallet(0);
    for (const { name, open } of protocols) {
      const [payer, merchant] = [await app.wallet(), await app.wallet()];
      const policy = {
        mints: { [USDC]: { hour: 25_000n } },
        recipients: [merchant.address],
      };
      const payments = createPrivatePayments({ url: app.serviceUrl });
      const shop = await open({
        serviceUrl: app.serviceUrl,
        rpcUrl: app.ledgerUrl,
        merchantRpcUrl: app.ledgerUrl,
        payer: withPolicy(policy, payer, { payments }) as typeof payer,
        sponsor,
        merchant: merchant.address,
        mint: USDC,
        price: '10000',
        isPrivate: false,
      });
      try {
        const paid = [await shop.pay(), await shop.pay()].map(({ status }) => status);
        expect(paid, name).toEqual([200, 200]);
        await expect(shop.pay(), name).rejects.toThrow(`only 5000 of mints.${USDC}.hour = 25000 are left`);
      } finally {
        await shop.close();
      }
    }
  });

  it('are refused by the policy of the facilitator, also after a restart', async () => {
    const folder = await folderOfFile();
    const file = join(folder, 'policy.json');
    const mints = { [USDC]: { day: '15000' }, SOL: {} };
    writeFileSync(file, JSON.stringify({ mints, accept: ['RECIPIENT_NEW'] }));
    const { secretKey, address } = createFacilitatorKey();
    const [protocol] = protocols;
    const statuses: unknown[] = [];
    for (const start of ['first', 'second']) {
      const limited = await runApp(undefined, {
        DATA_DIR: join(folder, 'data'),
        FACILITATOR_SECRET_KEY: secretKey,
        SPENDING_POLICY: file,
      });
      try {
        if (start === 'first') await limited.ask('requestAirdrop', address, 1_000_000_000);
        const [payer, merchant] = [await limited.wallet(), await limited.wallet()];
        const shop = await protocol?.open({
          serviceUrl: limited.serviceUrl,
          rpcUrl: limited.ledgerUrl,
          merchantRpcUrl: limited.ledgerUrl,
          payer,
          sponsor: payer,
          merchant: merchant.address,
          mint: USDC,
          price: '10000',
          isPrivate: false,
        });
        statuses.push((await shop?.pay())?.status);
        await shop?.close();
      } finally {
        await limited.close();
      }
    }
    expect(statuses).toEqual([200, 402]);
  });

  it('buy calls of the tools of this program over REST and MCP, each on base and privately', async () => {
    const wallet = await generateKeyPairSigner();
    const file = join(await folderOfFile(), 'prices.json');
    writeFileSync(file, writePrices(wallet.address));
    const { secretKey, address } = createFacilitatorKey();
    const selling = await runApp(undefined, { FACILITATOR_SECRET_KEY: secretKey, PRICES: file });
    try {
      await selling.ask('requestAirdrop', address, 1_000_000_000);
      const seller = await openSeller(selling, wallet);
      for (const buyer of await loadBuyers()) {
        for (const isPrivate of [false, true]) {
          expect(await buyCalls(selling, seller, buyer, isPrivate)).toContain('ten at once: all paid');
        }
        const payer = await selling.wallet();
        const order = { payer, rpcUrl: selling.ledgerUrl, restUrl: '', restInit: {}, tool: '', args: {} };
        const client = await buyer.open({ ...order, mcpUrl: `${selling.serviceUrl}/mcp` });
        if (client.fetch !== undefined) {
          // The typed client pays if its fetch does.
          const payments = createPrivatePayments({ url: selling.serviceUrl, fetch: client.fetch });
          const asked = { address: payer.address, mint: USDC };
          expect(await payments.getBalance(asked)).toMatchObject({ balance: 10_000_000n });
          expect(await payments.getBalance(asked)).toMatchObject({ balance: 9_990_000n });
        }
        await client.close();
      }
      await seller.payments.close();
    } finally {
      await selling.close();
    }
  });
});
