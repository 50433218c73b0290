import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { signBuilt } from '../src/rollup/testing/payment-scene.ts';
import { Party } from './arrival/party.ts';
import { runApp, type RunningApp } from './client/running-app.ts';
import { folderOfFile } from './folders.ts';

/** The fields that the docs of the hosted API publish (2026-08-05), as a client of it sends them. */
describe.skipIf(LAYOUT_B_FOLDER === null)(`a client of the hosted API (needs ${NO_LAYOUT_B})`, () => {
  let app: RunningApp;
  let wallet: Party;
  beforeAll(async () => {
    app = await runApp(LAYOUT_B_FOLDER ?? '');
    wallet = await Party.create(app, await folderOfFile());
  });
  afterAll(() => app.close());

  it('initializes a mint as its owner, and explains the transaction', async () => {
    const request = { owner: wallet.address, mint: USDC_MINT as string };
    const { transactionBase64, requiredSigners } = await wallet.call('spl/initialize-mint', request);
    expect(requiredSigners).toEqual([wallet.address]);
    const explained = await wallet.call('transaction/explain', {
      transactionBase64,
      sendTo: 'base',
      request: { operation: 'initializeMint', arguments: request },
    });
    expect(explained).toMatchObject({ request: { satisfied: 'yes' } });
  });

  it('cannot give both a payer and an owner', async () => {
    const both = { owner: wallet.address, payer: wallet.address, mint: USDC_MINT as string };
    expect(await wallet.call('spl/initialize-mint', both)).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });

  it('sends with skipPreflight, maxRetries and the endpoint of a stranger, which is ignored', async () => {
    await wallet.setTokens({ amount: 2_000_000 });
    const other = await Party.create(app, await folderOfFile());
    await other.setTokens({ amount: 0 });
    const { transactionBase64, sendTo } = await wallet.call('spl/transfer', {
      from: wallet.address,
      to: other.address,
      mint: USDC_MINT as string,
      amount: 1,
      visibility: 'public',
    });
    const sent = await wallet.call('transaction/send', {
      transactionBase64: signBuilt(wallet.keypair, String(transactionBase64)),
      sendTo,
      confirm: true,
      skipPreflight: true,
      maxRetries: 3,
      sendRpcEndpoint: 'https://rpc.example.com',
    });
    expect(sent).toMatchObject({
      arrival: { outcome: 'arrived' },
      notes: [expect.stringContaining('sendRpcEndpoint was ignored')],
    });
    expect((await other.balances()).base).toBe(1n);
  });

  it('requests a mock challenge on localnet, and gets one to sign', async () => {
    const answer = await fetch(`${app.serviceUrl}/v1/spl/challenge?pubkey=${wallet.address}&mock=true`);
    expect(await answer.json()).toMatchObject({ challenge: expect.stringContaining(wallet.address) });
  });
});
