import { createClient, type KeyPairSigner } from '@solana/kit';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { privatePayments } from '../../src/kit/index.ts';
import type { KitOptions } from '../../src/kit/payments.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { runApp, type RunningApp } from './running-app.ts';

const mint = USDC_MINT as string;

/** A client of the plugin on a running stack. */
const clientOf = (app: RunningApp, payer: KeyPairSigner, more: Partial<KitOptions> = {}) =>
  createClient({ payer }).use(
    privatePayments({ url: app.serviceUrl, base: app.ledgerUrl, rollup: app.rollupUrl, ...more }),
  );

describe('client.payments on localnet', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await runApp();
  });
  afterAll(() => app.close());

  it('makes a private payment, and explains each transaction before it is signed', async () => {
    const [alice, bob] = [await app.wallet(), await app.wallet()];
    const { payments } = clientOf(app, alice);
    const other = clientOf(app, bob).payments;
    const deposit = await payments.deposit({ amount: 3_000_000n });
    expect(deposit).toMatchObject({ sendTo: 'base', outcome: 'arrived' });
    expect(deposit.explanation).toMatchObject({ verdict: 'clear', request: { satisfied: 'yes' } });
    expect(await payments.balance({ mint })).toBe(7_000_000n);
    await other.deposit({ amount: 1_000_000n });
    const paid = await payments.transfer({
      to: bob.address,
      mint,
      amount: 250_000n,
      fromBalance: 'ephemeral',
      toBalance: 'ephemeral',
    });
    expect(paid).toMatchObject({ sendTo: 'ephemeral', outcome: 'arrived' });
    expect(await payments.privateBalance({ mint })).toBe(2_750_000n);
    expect(await other.privateBalance({ mint })).toBe(1_250_000n);
    expect((await payments.undelegate({ mint })).outcome).toBe('arrived');
    await payments.close();
    await other.close();
  });

  it('makes each of several equal concurrent payments', async () => {
    const [alice, bob] = [await app.wallet(), await app.wallet()];
    const { payments } = clientOf(app, alice);
    const twin = clientOf(app, alice).payments;
    const pay = (from: typeof payments) =>
      from.transfer({ to: bob.address, mint, amount: 1_000_000n, visibility: 'public' });
    const receipts = await Promise.all([pay(payments), pay(payments), pay(twin)]);
    expect(receipts.map(({ outcome }) => outcome)).toEqual(['arrived', 'arrived', 'arrived']);
    expect(new Set(receipts.map(({ signature }) => signature)).size).toBe(3);
    expect(await payments.balance({ mint, address: bob.address })).toBe(13_000_000n);
    await payments.close();
    await twin.close();
  }, 30_000);

  it('respects the limits of the caller', async () => {
    const alice = await app.wallet();
    const limited = clientOf(app, alice, {
      limits: {
        maxAmount: 1_000_000n,
        recipients: [],
        maxLamports: 1n,
        mints: [],
        programs: [],
        validators: [],
      },
    }).payments;
    const refused = await limited.deposit({ amount: 1_000_001n }).catch((error: unknown) => error);
    const { reasons } = refused as { reasons: { code: string; message: string }[] };
    expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(['LIMIT']));
    const told = reasons.map(({ message }) => message).join(' ');
    for (const words of [
      'maxAmount is 1000000',
      'maxLamports is 1',
      'limits.mints',
      'limits.programs',
      'limits.validators',
    ]) {
      expect(told).toContain(words);
    }
    const recipients = limited.transfer({ to: alice.address, mint, amount: 1n, visibility: 'public' });
    await expect(recipients).rejects.toThrow('limits.recipients');
    expect(await limited.balance({ mint })).toBe(10_000_000n);
    await limited.close();
  });
});

describe.skipIf(LAYOUT_B_FOLDER === null)(
  `client.payments on the networks' programs (needs ${NO_LAYOUT_B})`,
  () => {
    let app: RunningApp;
    beforeAll(async () => {
      app = await runApp(LAYOUT_B_FOLDER ?? '');
    });
    afterAll(() => app.close());

    it('pays privately from base to base and seals the recipient locally', async () => {
      const [alice, bob] = [await app.wallet(), await app.wallet()];
      const { payments } = clientOf(app, alice, { layout: 'b' });
      const { validator } = { validator: await identityOf(app) };
      if (!(await isReady(app, validator))) await payments.initializeMint({ mint });
      const paid = await payments.transfer({ to: bob.address, mint, amount: 500_000n });
      expect(paid.outcome).toBe('arrived');
      expect(await payments.balance({ mint, address: bob.address })).toBe(10_500_000n);
      await payments.close();
    });

    it('pays from the rollup to base only if the two cautions of docs/kit.md are accepted', async () => {
      const [alice, bob] = [await app.wallet(), await app.wallet()];
      const doubting = clientOf(app, alice, { layout: 'b' }).payments;
      const accept = ['ARRIVAL_UNPROVEN', 'REQUEST_UNVERIFIABLE'];
      expect(readFileSync('docs/kit.md', 'utf8')).toContain(`accept: ['${accept.join("', '")}']`);
      const { payments } = clientOf(app, alice, { layout: 'b', accept });
      if (!(await isReady(app, await identityOf(app)))) await payments.initializeMint({ mint });
      await payments.deposit({ amount: 2_000_000n });
      const way = { fromBalance: 'ephemeral', toBalance: 'base' } as const;
      const terms = { to: bob.address, mint, amount: 500_000n, ...way };
      const refused = await doubting.transfer(terms).catch((error: unknown) => error);
      const { reasons } = refused as { reasons: { code: string }[] };
      expect(reasons.map(({ code }) => code)).toEqual([...accept, 'UNVERIFIABLE']);
      const paid = await payments.transfer(terms);
      expect(paid).toMatchObject({ sendTo: 'ephemeral', outcome: 'arrived' });
      expect(await payments.balance({ mint, address: bob.address })).toBe(10_500_000n);
      await doubting.close();
      await payments.close();
    }, 90_000);
  },
);

async function identityOf(app: RunningApp): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getIdentity' });
  const response = await fetch(app.rollupUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return ((await response.json()) as { result: { identity: string } }).result.identity;
}

async function isReady(app: RunningApp, validator: string): Promise<boolean> {
  const query = `mint=${mint}&validator=${validator}`;
  const response = await fetch(`${app.serviceUrl}/v1/spl/is-mint-initialized?${query}`);
  return ((await response.json()) as { initialized: boolean }).initialized;
}
