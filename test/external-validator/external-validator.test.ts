import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFundedWallet, USDC } from '../../clients/wallet.ts';
import { probeMachine } from '../../scripts/external-validator/probe.ts';
import { startExternalValidator, type ExternalValidator } from '../../scripts/external-validator/launch.ts';
import { VERSION_OF } from '../../scripts/external-validator/versions.ts';
import { LOCALNET_VALIDATOR } from '../../src/programs/addresses.ts';
import { liveBySdk } from '../sdk-life/life.ts';
import { loadSdk, MISSING } from '../sdk-life/sdk.ts';
import { folderOfFile } from '../folders.ts';
import { startStack, waitFor, type StackProcess } from '../stack-process.ts';
import { findFreePorts } from './free-ports.ts';
import { PaymentsClient } from './payments-client.ts';

// MagicBlock's own ephemeral validator, from npm, as the rollup of our base ledger: it runs where it can.

const { facts, recipe } = probeMachine(process.env, VERSION_OF.a);
const missing = facts.filter(({ isMet }) => !isMet).map(({ text }) => text);
/** Slots of the base ledger; settling waits for one. */
const SLOT_MS = '100';

let stack: StackProcess;
let validator: ExternalValidator;

beforeAll(async () => {
  if (recipe === null) return;
  const folder = await folderOfFile();
  // The node must know where the rollup will be, and the validator where its base chain is.
  const port = await findFreePorts(3);
  stack = await startStack(join(folder, 'ledger'), {
    env: { ROLLUP: 'external', EPHEMERAL_RPC_URL: `http://127.0.0.1:${port}`, LEDGER_SLOT_MS: SLOT_MS },
  });
  validator = await startExternalValidator(recipe, {
    baseUrl: stack.ledgerUrl,
    port,
    folder: join(folder, 'validator'),
  });
}, 60_000);

afterAll(async () => {
  await validator?.stop();
  await stack?.stop();
});

describe("MagicBlock's ephemeral validator on top of our base ledger", () => {
  it('runs a payment from deposit to withdrawal, built and sent by the service, exact to the base unit', async ({
    skip,
  }) => {
    if (recipe === null) return skip(missing.join('; '));
    const payments = new PaymentsClient(stack.serviceUrl);
    const [alice, bob] = [
      await createFundedWallet(stack.ledgerUrl, 1_000_000),
      await createFundedWallet(stack.ledgerUrl, 1_000_000),
    ];
    for (const wallet of [alice, bob]) {
      const deposit = { owner: wallet.address, amount: 1_000, mint: USDC, private: false };
      expect(await payments.do(wallet, 'deposit', deposit)).toMatchObject({ validator: LOCALNET_VALIDATOR });
      await waitFor(async () => (await payments.balanceInRollup(wallet)) === '1000');
    }

    const pay = (from: typeof alice, to: typeof alice, amount: number) =>
      payments.do(from, 'transfer', {
        from: from.address,
        to: to.address,
        mint: USDC,
        amount,
        visibility: 'public',
        fromBalance: 'ephemeral',
        toBalance: 'ephemeral',
      });
    await pay(alice, bob, 300);
    await pay(bob, alice, 50);
    await pay(alice, bob, 6);
    await expect(pay(alice, bob, 745)).rejects.toThrow();
    expect(await payments.balanceInRollup(alice)).toBe('744');
    expect(await payments.balanceInRollup(bob)).toBe('1256');

    for (const [wallet, amount, whole] of [
      [alice, 744, '999744'],
      [bob, 1_256, '1000256'],
    ] as const) {
      const withdrawal = { owner: wallet.address, mint: USDC, amount };
      await expect(payments.build('withdraw', withdrawal)).rejects.toThrow('DELEGATED');
      await payments.do(wallet, 'undelegate-ephemeral-ata', { payer: wallet.address, mint: USDC });
      await waitFor(async () => payments.do(wallet, 'withdraw', withdrawal));
      expect(await payments.balanceOnBase(wallet)).toBe(whole);
    }
  }, 60_000);

  it("runs the whole flow with MagicBlock's SDK, which finds its commits on our ledger", async ({ skip }) => {
    if (recipe === null) return skip(missing.join('; '));
    const libraries = loadSdk();
    if (libraries === null) return skip(MISSING);
    const urls = { ledgerUrl: stack.ledgerUrl, rollupUrl: validator.url };
    await liveBySdk(libraries, { ...urls, isPrivate: false, rollupIs: 'external validator', tell: () => {} });
  }, 60_000);
});
