import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { axeFindings, sidewaysPx, watchPage, type WatchedPage } from './watched-page.ts';

/** A name that looks like a script, reverses the text next to it, and is longer than a line. */
const HOSTILE = `<img src=x onerror=alert(1)>\u202e${'gnol '.repeat(60)}`;

/** Wallets as extensions inject them before the page. `late` registers when the window asks for it. */
const wallets = (address: string): string => `
  window.asked = [];
  const walletOf = (name, connect) => ({
    version: '1.0.0',
    name,
    icon: 'data:text/html,<script>alert(1)</script>',
    chains: ['solana:mainnet'],
    accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => (asked.push('connect ' + name), connect()) },
      'standard:events': { version: '1.0.0', on: (_, change) => ((window.change = change), () => {}) },
      'solana:signTransaction': { signTransaction: async () => asked.push('signTransaction') },
      'solana:signAndSendTransaction': { signAndSendTransaction: async () => asked.push('send') },
      'solana:signMessage': { signMessage: async () => asked.push('signMessage') },
      'solana:signIn': { signIn: async () => asked.push('signIn') },
    },
  });
  const account = { address: '${address}', publicKey: new Uint8Array(32), chains: ['solana:mainnet'], features: [] };
  const announce = (wallet) => {
    const callback = ({ register }) => register(wallet);
    dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));
    addEventListener('wallet-standard:app-ready', ({ detail }) => callback(detail));
  };
  announce(walletOf('Good', () => ({ accounts: [account] })));
  announce(walletOf('Refusing', () => Promise.reject({ code: 4001, message: '<b>User rejected</b>\\u202e' })));
  announce(walletOf(${JSON.stringify(HOSTILE)}, () => ({ accounts: [{ ...account, address: '<img src=x>' }] })));
  announce({ get name() { throw new Error('boo'); } });
  addEventListener('late', () => announce(walletOf('Late', () => new Promise((answer) => (window.answerLate = () => answer({ accounts: [account] }))))));
`;

describe.skipIf(WITHOUT_BROWSER)('the page in front of a real cluster', () => {
  let cluster: RunningApp;
  let front: RunningApp;
  let browser: Browser;
  let address: string;
  beforeAll(async () => {
    // Another localnet replaces the cluster: for the gateway it is a node at a URL.
    cluster = await runApp();
    const base = cluster.ledgerUrl;
    front = await runApp(undefined, {
      CLUSTER: 'mainnet',
      LEDGER_UPSTREAM_URL: base,
      BASE_RPC_URL: base,
      BASE_LAYOUT: 'a',
      EPHEMERAL_RPC_URL: cluster.rollupUrl,
    });
    ({ address } = await cluster.wallet(12_345_678));
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await closePages();
    await front?.close();
    await cluster?.close();
  });

  async function openPage(script = wallets(address), width = 1280): Promise<WatchedPage> {
    const watched = await watchPage(browser, front.serviceUrl, { width, isOverheard: true });
    onTestFinished(() => watched.close());
    await watched.page.addInitScript(script);
    await watched.page.goto('/');
    await watched.page.getByText('This is mainnet, with real money.').waitFor();
    // Until the service has said what it is, the page asks for what a localnet has, and a front has not.
    await watched.settled();
    watched.errors.length = 0;
    return watched;
  }

  const rowOf = (page: Page, name: string) => page.locator('main .list li').filter({ hasText: name });
  const connect = (page: Page, name: string) => rowOf(page, name).getByRole('button').last().click();
  const askedOf = (page: Page) => page.evaluate<readonly string[]>('asked');

  it('connects to a browser wallet when the button is pressed, and shows what everyone can read about it', async () => {
    const { page, errors, foreign } = await openPage();
    await rowOf(page, 'Good').waitFor();
    expect(await askedOf(page)).toEqual([]);
    await connect(page, 'Good');
    const card = page.locator('section[aria-label="Connected wallet"]');
    await card.getByText('12.345678').waitFor();
    expect(await card.innerText()).toContain(address);
    expect(await axeFindings(page)).toEqual([]);
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Operations' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await card.getByText('12.345678').waitFor();
    await page.evaluate('change({ accounts: [] })');
    await rowOf(page, 'Good').waitFor();
    expect(await askedOf(page)).toEqual(['connect Good']);
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] });
  });

  it('explains what the wallet would sign, requests no signature, and sends nothing', async () => {
    const { page, received, errors } = await openPage();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await connect(page, 'Good');
    await page.getByRole('button', { name: 'Deposit' }).click();
    await page.getByLabel('Amount').fill('2.5');
    await page.getByRole('button', { name: 'Review before signing' }).click();
    const explanation = page.locator('section[aria-label="Explanation"]');
    await explanation.getByText('The page stops here. It never asks your wallet for a signature.').waitFor();
    expect(await explanation.innerText()).toMatch(/2\.5\s*USDC/);
    expect(await explanation.getByRole('button', { name: /sign/i }).count()).toBe(0);
    expect(await page.evaluate('asked')).toEqual(['connect Good']);
    expect(sent.filter((each) => /sendTransaction|transaction\/send|\/login|challenge/.test(each))).toEqual(
      [],
    );
    expect((await received()).filter(({ hasToken }) => hasToken)).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('shows a wallet that appears late, and waits for one that does not answer until the user cancels', async () => {
    const { page } = await openPage();
    await rowOf(page, 'Good').waitFor();
    expect(await rowOf(page, 'Late').count()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('late'))");
    await connect(page, 'Late');
    await page.locator('.btn[aria-busy=true]').waitFor();
    expect(await rowOf(page, 'Good').getByRole('button').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await connect(page, 'Good');
    await page.locator('section[aria-label="Connected wallet"]').waitFor();
  });

  it('keeps the last connected wallet if an abandoned one answers later', async () => {
    const { page } = await openPage();
    await page.evaluate("dispatchEvent(new Event('late'))");
    await connect(page, 'Late');
    await page.locator('.btn[aria-busy=true]').waitFor();
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Operations' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await connect(page, 'Good');
    const card = page.locator('section[aria-label="Connected wallet"]');
    await card.waitFor();
    await page.evaluate('answerLate()');
    // Whatever the answer would change is drawn by then.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(await card.getByRole('heading').innerText()).toBe('Good');
    await card.getByRole('button', { name: 'Disconnect' }).click();
    await rowOf(page, 'Good').waitFor();
  });

  it('reports that a wallet refused, with its message as plain text', async () => {
    const { page, errors } = await openPage();
    await connect(page, 'Refusing');
    const note = page.getByRole('alert');
    await note.getByText('The wallet did not connect.').waitFor();
    expect(await note.innerText()).toContain('<b>User rejected</b>');
    expect(await note.innerText()).not.toContain('\u202e');
    await connect(page, 'Good');
    await page.locator('section[aria-label="Connected wallet"]').getByText('12.345678').waitFor();
    expect(errors).toEqual([]);
  });

  it.each([1280, 390])(
    'shows a hostile name as inert text, no icon, and no invalid account, at %i px',
    async (width) => {
      const { page, errors } = await openPage(undefined, width);
      await connect(page, '<img src=x onerror=alert(1)>');
      await page.getByText('The wallet has no Solana account.').waitFor();
      expect(await page.locator('main img, main script').count()).toBe(0);
      expect(await page.locator('main').innerText()).not.toContain('\u202e');
      expect(await page.locator('main .list li').count()).toBe(3);
      expect(await sidewaysPx(page)).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('explains what to do if there is no wallet', async () => {
    const { page } = await openPage('');
    await page.getByText('No wallet found in this browser.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
