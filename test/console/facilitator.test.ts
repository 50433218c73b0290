import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { OperationsAnswer } from '../../src/console/answers.ts';
import { Keypair } from '../../src/ledger/keypair.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { settleToTheEnd, Shop } from '../facilitator/shop.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { picture } from './pictures.ts';
import { axeFindings, sidewaysPx, stickingOut, watchPage } from './watched-page.ts';

const PAYER = new Keypair(systemRandom.bytes(32));

/** Starts a localnet with the facilitator of a shop. */
async function openShop(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ app: RunningApp; shop: Shop }> {
  const network = { ledgerUrl: '', wallets: [PAYER], env: {} };
  const shop = new Shop(network, new Keypair(systemRandom.bytes(32)), systemRandom.bytes(32));
  const app = await runApp(undefined, { ...shop.env, ...settings });
  network.ledgerUrl = app.ledgerUrl;
  return { app, shop };
}

async function operationsOf({ serviceUrl }: RunningApp): Promise<OperationsAnswer> {
  return (await (await fetch(`${serviceUrl}/console/api/operations`)).json()) as OperationsAnswer;
}

describe.skipIf(WITHOUT_BROWSER)('the facilitator on the operations page', () => {
  let app: RunningApp;
  let shop: Shop;
  let browser: Browser;
  beforeAll(async () => {
    ({ app, shop } = await openShop());
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await closePages();
    await app?.close();
  });

  const cardOf = (page: Page) => page.locator('section[aria-label="Facilitator"]');

  it('shows its URL, its SOL and its payments, but no payer', async () => {
    const { page, errors, foreign, settled, close } = await watchPage(browser, app.serviceUrl);
    onTestFinished(close);
    await page.goto('/console/operations');
    const card = cardOf(page);
    await card.getByText('none: payments on its base ledger fail').waitFor();
    await card.getByRole('button', { name: 'Copy URL' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${app.serviceUrl}/x402`);

    await shop.open();
    await app.ask('requestTokenAirdrop', PAYER.address, USDC_MINT, 1_000_000);
    const payment = await shop.build();
    await settleToTheEnd(app.serviceUrl, payment);
    expect(payment.answers.at(-1)).toMatchObject({ success: true, payer: PAYER.address });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await card.getByText('1 settled, 0 failed, 0 expired').waitFor();
    const text = (await card.innerText()).replaceAll(/\s+/g, ' ');
    // Two signatures, and a compute unit price of one lamport.
    expect(text).toContain('SOL on localnet 0.999989999SOL Spent in the last hour 0.000010001SOL');
    expect(text).toContain('Limit per hour 1SOL Pending 0');
    expect(await page.content()).not.toContain(PAYER.address);

    for (const [width, scheme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [390, 'light'],
      [320, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      await settled();
      await picture(page, `facilitator-${width}-${scheme}`);
      expect(await axeFindings(page), `${width} ${scheme}`).toEqual([]);
      expect(await sidewaysPx(page), `${width} ${scheme}`).toBe(0);
      expect(await stickingOut(page, 'section[aria-label="Facilitator"]'), `${width} ${scheme}`).toEqual([]);
    }
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] });
  });

  it('is absent if the facilitator is off', async () => {
    const without = await runApp();
    onTestFinished(() => without.close());
    const { page, close } = await watchPage(browser, without.serviceUrl);
    onTestFinished(close);
    await page.goto('/console/operations');
    await page.locator('section[aria-label="Limits"]').waitFor();
    expect(await cardOf(page).count()).toBe(0);
  });
});

it('the console hides payment figures from anyone who cannot read the metrics', async () => {
  const { app } = await openShop({ METRICS: 'off' });
  onTestFinished(() => app.close());
  const { service } = await operationsOf(app);
  const facts = service.find(({ title }) => title === 'Facilitator')?.facts ?? [];
  expect(facts.map(({ label }) => label)).toEqual(['URL', 'Fee payer', 'SOL on localnet']);
});

it('the console shows the public address of the facilitator', async () => {
  const { app } = await openShop({ PUBLIC_URL: 'https://pay.example', CONSOLE: 'on' });
  onTestFinished(() => app.close());
  const { service } = await operationsOf(app);
  expect(service.find(({ title }) => title === 'Facilitator')?.facts[0]?.text).toBe(
    'https://pay.example/x402',
  );
});
