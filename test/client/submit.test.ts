import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPrivatePayments } from '../../src/client/index.ts';
import { CheckedPayments } from '../../src/kit/checked-payments.ts';
import { createLocalOperations } from '../../src/kit/local-operations.ts';
import { RollupSession } from '../../src/kit/rollup-session.ts';
import { SignedMessages } from '../../src/kit/signed-messages.ts';
import { openTrustedLedgers } from '../../src/kit/trusted-ledgers.ts';
import { asVersion1 } from '../../src/ledger/testing/version-1.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import { runApp, type RunningApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await runApp();
});
afterAll(() => app.close());

const mint = USDC_MINT as string;

/** The signer of a new wallet, the number of its signatures, and a payment that someone else built. */
async function setUp() {
  const [wallet, to] = [await app.wallet(), await app.wallet()];
  const { clusters, close } = openTrustedLedgers({
    url: app.serviceUrl,
    base: app.ledgerUrl,
    rollup: app.rollupUrl,
  });
  const signed = { count: 0 };
  const service = createPrivatePayments({ url: app.serviceUrl });
  const checked = new CheckedPayments({
    service,
    cluster: undefined,
    clusters,
    local: createLocalOperations(clusters, null),
    session: new RollupSession(clusters.resolve(undefined), wallet, systemClock),
    signers: [
      {
        ...wallet,
        signTransactions: (transactions, config) => {
          signed.count += 1;
          return wallet.signTransactions(transactions, config);
        },
      },
    ],
    limits: {},
    accept: new Set(),
    signed: new SignedMessages(),
    ledgers: { base: app.ledgerUrl, ephemeral: app.rollupUrl },
    waiting: { clock: systemClock, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
  });
  const memo = randomBytes(8).toString('hex');
  const built = await service.transfer({
    from: wallet.address,
    to: to.address,
    mint,
    amount: 1_000_000n,
    visibility: 'public',
    memo,
  });
  return { checked, signed, close, to, transactionBase64: built.transactionBase64 };
}

it('signs a transaction that someone else built once, even if it is submitted twice at once (bug: both signed)', async () => {
  const { checked, signed, close, to, transactionBase64 } = await setUp();
  const both = await Promise.allSettled([
    checked.submit(transactionBase64, 'base'),
    checked.submit(transactionBase64, 'base'),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  // Where the first has landed before the other was tried, that trial fails, and says so.
  const refused = { reasons: [{ code: expect.stringMatching(/^(ALREADY_SIGNED|TRIAL_FAILS)$/) }] };
  expect(both.find((each) => each.status === 'rejected')?.reason).toMatchObject(refused);
  await expect(checked.submit(transactionBase64, undefined)).rejects.toMatchObject(refused);
  expect(signed.count).toBe(1);
  expect(await checked.balance({ mint, address: to.address })).toBe(11_000_000n);
  close();
});

it('signs and sends a transaction of version 1', async () => {
  const { checked, signed, close, to, transactionBase64 } = await setUp();
  const legacy = decodeTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64')));
  const twin = Buffer.from(asVersion1(legacy)).toString('base64');
  expect(await checked.submit(twin, 'base')).toMatchObject({ outcome: 'arrived' });
  expect(signed.count).toBe(1);
  expect(await checked.balance({ mint, address: to.address })).toBe(11_000_000n);
  close();
});
