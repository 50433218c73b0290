import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { NATIVE_MINT } from '../../src/programs/addresses.ts';
import { signBuilt } from '../../src/rollup/testing/payment-scene.ts';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { folderOfFile } from '../folders.ts';
import { Party } from './party.ts';

const MINT = { mint: NATIVE_MINT as string };

describe.skipIf(LAYOUT_B_FOLDER === null)(`native SOL through shuttles (needs ${NO_LAYOUT_B})`, () => {
  let app: RunningApp;
  let owner: Party;
  let friend: Party;
  beforeAll(async () => {
    app = await runApp(LAYOUT_B_FOLDER ?? '');
    const files = await folderOfFile();
    [owner, friend] = [await Party.create(app, files), await Party.create(app, files)];
    await owner.do('spl/initialize-mint', { payer: owner.address, ...MINT });
  });
  afterAll(() => app.close());

  /** The explanation of a payment before it is sent, and its outcome. */
  async function pay(operation: string, path: string, args: Record<string, unknown>) {
    const { transactionBase64, sendTo } = await owner.call(path, args);
    const request = { operation, arguments: args };
    const wallet = owner.address;
    const said = await owner.call('transaction/explain', { transactionBase64, sendTo, wallet, request });
    const signed = signBuilt(owner.keypair, String(transactionBase64));
    const sent = await owner.call('transaction/send', { transactionBase64: signed, sendTo, confirm: true });
    return { said, sent };
  }

  const privateSol = async (): Promise<bigint> => {
    const query = `address=${owner.address}&mint=${NATIVE_MINT}`;
    const headers = { authorization: `Bearer ${await owner.token()}` };
    const response = await fetch(`${app.serviceUrl}/v1/spl/private-balance?${query}`, { headers });
    return BigInt(((await response.json()) as { balance: string }).balance);
  };

  it.each([
    ['into a new private balance', 1_000_000_000],
    ['into an existing private balance', 5_000_000],
  ])('is deposited as requested, %s (bug: the wrapping could not be checked)', async (_, amount) => {
    const before = await privateSol();
    const { said, sent } = await pay('deposit', 'spl/deposit', {
      owner: owner.address,
      ...MINT,
      amount,
      initAtasIfMissing: true,
    });
    expect(said).toMatchObject({ verdict: 'clear', request: { satisfied: 'yes' } });
    expect(sent).toMatchObject({ arrival: { outcome: 'arrived' } });
    expect(await privateSol()).toBe(before + BigInt(amount));
  });

  it('is not reported to have moved nothing when it is paid (bug: the wrapped SOL looked untouched)', async () => {
    const { said, sent } = await pay('transfer', 'spl/transfer', {
      from: owner.address,
      to: friend.address,
      ...MINT,
      amount: 1_000_000,
    });
    expect(said).toMatchObject({ wallet: { tokens: [{ change: '-1001000' }] } });
    expect(sent).toMatchObject({ outcome: 'confirmed', arrival: { outcome: 'still under way' } });
  });

  it('is withdrawn', async () => {
    const before = await privateSol();
    const { said, sent } = await pay('withdraw', 'spl/withdraw', {
      owner: owner.address,
      ...MINT,
      amount: 2_000_000,
    });
    expect(said).toMatchObject({ verdict: 'clear', request: { satisfied: 'yes' } });
    expect(sent).toMatchObject({ arrival: { outcome: 'arrived' } });
    expect(await privateSol()).toBe(before - 2_000_000n);
  });
});
