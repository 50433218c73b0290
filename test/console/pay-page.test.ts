import {
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
  signTransaction,
} from '@solana/kit';
import type { Browser, Page } from 'playwright-core';
import { encode } from 'uqr';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { runApp } from '../client/running-app.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { createPayingWorld, logIn, type PayingWorld } from './paying-world.ts';
import { picture } from './pictures.ts';
import { axeFindings, sidewaysPx, stickingOut, watchPage, type WatchedPage } from './watched-page.ts';

const SETTINGS = { CHECKOUT_SECRET: 'of the tests, at least 32 characters', CONSOLE: 'off' };

/** A description that would run a script or reverse the adjacent text if the page did not escape it. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202eTea';

/** Wallets as extensions announce them: `Good` has the accounts, and signs with the test's `signNow`. */
const walletScript = (addresses: readonly string[]): string => `
  const accounts = ${JSON.stringify(addresses)}.map((address) => ({
    address, publicKey: new Uint8Array(32), chains: ['solana:mainnet', 'solana:localnet'], features: [],
  }));
  window.chains = [];
  const bytesOf = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  const walletOf = (name, features) => ({
    version: '1.0.0', name, icon: 'data:,', chains: ['solana:mainnet'], accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [accounts[0]] }) },
      'standard:events': {
        version: '1.0.0',
        on: (_, change) => ((window.choose = (at) => change({ accounts: [accounts[at]] })), () => {}),
      },
      ...features,
    },
  });
  const signTransaction = async ({ account, transaction, chain }) => {
    chains.push(chain);
    const signed = await signNow(account.address, btoa(String.fromCharCode(...transaction)));
    if (signed === null) throw new Error('The user said no.');
    return [{ signedTransaction: bytesOf(signed) }];
  };
  for (const wallet of [
    walletOf('Good', { 'solana:signTransaction': { version: '1.0.0', signTransaction } }),
    walletOf('Only messages', { 'solana:signMessage': {} }),
  ]) {
    addEventListener('wallet-standard:app-ready', ({ detail }) => detail.register(wallet));
  }
`;

interface NewOrder {
  readonly payment: { readonly id: string };
  readonly accessToken: string;
  readonly pageUrl: string;
}

describe.skipIf(WITHOUT_BROWSER)('the payment page', () => {
  let world: PayingWorld;
  let browser: Browser;
  let merchant: Readonly<Record<string, string>>;
  let orders = 0;
  beforeAll(async () => {
    world = await createPayingWorld('before', undefined, SETTINGS);
    browser = await sharedChromium();
    merchant = await register(world.payee);
  });
  afterAll(async () => {
    await closePages();
    await world?.close();
  });

  async function post<T>(
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const response = await fetch(`${world.app.serviceUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text) as T;
  }

  async function register(signer: KeyPairSigner): Promise<Readonly<Record<string, string>>> {
    const wallet = signer.address;
    const { id, message } = await post<{ id: string; message: string }>('/v1/merchants/challenge', {
      wallet,
    });
    const [signed] = await signer.signMessages([
      { content: new TextEncoder().encode(message), signatures: {} },
    ]);
    const signature = Buffer.from(signed?.[wallet] ?? []).toString('base64');
    const { apiKey } = await post<{ apiKey: string }>('/v1/merchants', {
      wallet,
      challengeId: id,
      signature,
    });
    return { authorization: `Bearer ${apiKey}`, 'x-merchant-id': wallet };
  }

  function termsOf(terms: object): object {
    orders += 1;
    return { externalReference: `order ${orders}`, amount: '10000', description: 'Tea', ...terms };
  }

  const order = (terms: object = {}): Promise<NewOrder> =>
    post('/v1/payments', termsOf({ payer: world.payer.address, ...terms }), merchant);

  /** Opens a page with a wallet. `signer` signs; null refuses. */
  async function open(
    url: string,
    addresses: readonly string[] = [world.payer.address],
    sign: (transaction: string) => Promise<string | null> = signAs(world.payer),
  ): Promise<WatchedPage> {
    const watched = await watchPage(browser, world.app.serviceUrl, { width: 480, isOverheard: true });
    onTestFinished(() => watched.close());
    const { page } = watched;
    await page.exposeFunction('signNow', (_: string, transaction: string) => sign(transaction));
    if (addresses.length > 0) await page.addInitScript(walletScript(addresses));
    await page.goto(url);
    return watched;
  }

  const signAs =
    (signer: KeyPairSigner) =>
    async (transaction: string): Promise<string> => {
      const unsigned = getTransactionDecoder().decode(Buffer.from(transaction, 'base64'));
      return getBase64EncodedWireTransaction(await signTransaction([signer.keyPair], unsigned as never));
    };

  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).click();

  async function balanceOf(wallet: KeyPairSigner): Promise<bigint> {
    const token = await logIn(world.client, wallet);
    const { balance } = await world.client.getPrivateBalance(
      { address: wallet.address, mint: USDC_MINT },
      { token },
    );
    return BigInt(balance);
  }

  async function look({ page, settled }: WatchedPage, name: string): Promise<void> {
    for (const [width, scheme] of [
      [480, 'light'],
      [320, 'dark'],
      [1920, 'light'],
      [768, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      await settled();
      await picture(page, `pay-${name}-${width}-${scheme}`);
      expect(await axeFindings(page), `${name} ${width} ${scheme}`).toEqual([]);
      expect(await sidewaysPx(page), `${name} ${width} ${scheme}`).toBe(0);
      expect(await stickingOut(page, 'section.pay'), `${name} ${width} ${scheme}`).toEqual([]);
    }
    await page.setViewportSize({ width: 480, height: 900 });
  }

  const shown = (page: Page): Promise<string> => page.locator('main').innerText();

  it('lets the buyer pay an order privately, from the first look to the receipt', async () => {
    const had = [await balanceOf(world.payer), await balanceOf(world.payee)] as const;
    const { pageUrl, payment, accessToken } = await order({ description: HOSTILE });
    const watched = await open(pageUrl);
    const { page, errors, foreign } = watched;
    await page.getByText('Waiting for your payment').waitFor();
    const first = await shown(page);
    expect(first).toMatch(/Pay 0\.01\s?USDC/);
    expect(first).toContain('<img src=x onerror=alert(1)>');
    expect(first).not.toContain('\u202e');
    expect(first).toMatch(/Sold by\s+the wallet/);
    expect(first).not.toContain('The merchant says so.');
    expect(first).toMatch(/Rollup of localnet[\s\S]*a private ledger next to Solana/);
    expect(first).toContain('To pay, you need a private balance of USDC on this rollup.');
    expect(first).toContain('play money');
    expect(first).toContain('Only you, the merchant, and the operators of this service and ledger.');
    expect(first).toMatch(/59 min \d+ s|1 h 0 min 0 s/);
    expect(first).not.toContain(world.payee.address);
    await press(page, 'whole address');
    expect(await shown(page)).toContain(world.payee.address);
    await press(page, 'shorten');
    expect(await page.getByRole('button', { name: 'Only messages' }).count()).toBe(0);
    await look(watched, 'waiting');

    await press(page, 'Connect Good');
    await press(page, 'Review payment');
    await page.getByText('Nothing else happens.').waitFor();
    const review = await page.locator('section[aria-label="What you sign"]').innerText();
    expect(review).toContain('Your balance is not checked before you sign.');
    expect(review).toMatch(/You[\s\S]*−0\.01\s?USDC[\s\S]*Merchant[\s\S]*\+0\.01\s?USDC/);
    await look(watched, 'review');
    await press(page, 'Sign and pay');
    await page.getByText('The merchant has the money.').waitFor();
    expect(await page.evaluate('chains')).toEqual(['solana:localnet']);
    const read = await fetch(`${world.app.serviceUrl}/v1/payments/${payment.id}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    const paid = (await read.json()) as { status: string; signature: string; confirmedAt: string };
    expect(paid.status).toBe('paid');
    expect(await shown(page)).toContain(paid.signature.slice(0, 6));
    expect(await shown(page)).toContain(paid.confirmedAt.slice(0, 19).replace('T', ' '));
    await press(page, 'Copy signature');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(paid.signature);
    await look(watched, 'paid');
    expect(await balanceOf(world.payer)).toBe(had[0] - 10_000n);
    expect(await balanceOf(world.payee)).toBe(had[1] + 10_000n);

    await page.reload();
    await page.getByText('The merchant has the money.').waitFor();
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] });
  });

  it('sends the token to the API only, in a header, and stores it nowhere', async () => {
    const { pageUrl, accessToken } = await order();
    const watched = await open('about:blank');
    const { page } = watched;
    const sent: { readonly url: string; readonly headers: string }[] = [];
    page.on('request', (request) =>
      sent.push({ url: request.url(), headers: JSON.stringify(request.headers()) }),
    );
    await page.goto(pageUrl);
    await press(page, 'Connect Good');
    await press(page, 'Review payment');
    await page.getByText('Nothing else happens.').waitFor();
    const apart = sent.filter(({ url }) => !new URL(url).pathname.startsWith('/v1/payments/'));
    expect(apart.length).toBeGreaterThan(2);
    expect(apart.filter(({ headers }) => headers.includes(accessToken))).toEqual([]);
    expect(
      sent.filter(
        ({ url, headers }) => url.replace(/#.*/, '').includes(accessToken) || /"referer":"[^"]/.test(headers),
      ),
    ).toEqual([]);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toContain(accessToken);
    expect(await page.locator(`a[href*="${accessToken}"]`).count()).toBe(0);
  });

  it('lets any wallet pay a link once per purchase, and can be reloaded in between', async () => {
    const { pageUrl } = await post<{ pageUrl: string }>(
      '/v1/payment-links',
      termsOf({ cluster: 'localnet' }),
      merchant,
    );
    const watched = await open(pageUrl);
    const { page, errors } = watched;
    await page.getByText('Everyone: the payment is public.').waitFor();
    await look(watched, 'link');
    await press(page, 'Connect Good');
    await press(page, 'Review payment');
    await page.getByText('Nothing else happens.').waitFor();
    const orderUrl = page.url();
    expect(orderUrl).toMatch(/\/pay\/[0-9a-f]{64}#[\w-]+$/);
    // The buyer opens the link again before paying, and gets the same order.
    await page.goto(pageUrl);
    await press(page, 'Connect Good');
    await press(page, 'Review payment');
    await page.getByText('Nothing else happens.').waitFor();
    expect(page.url()).toBe(orderUrl);
    await press(page, 'Sign and pay');
    await page.getByText('The merchant has the money.').waitFor();
    // The buyer buys the same item again.
    await page.goto(pageUrl);
    await press(page, 'Connect Good');
    await press(page, 'Review payment');
    await page.getByText('Nothing else happens.').waitFor();
    expect(page.url()).not.toBe(orderUrl);
    expect(errors).toEqual([]);
  });

  it("asks for the order's wallet, and continues when the buyer chooses it", async () => {
    const { pageUrl } = await order();
    const watched = await open(pageUrl, [world.payee.address, world.payer.address]);
    const { page } = watched;
    await press(page, 'Connect Good');
    await page.getByText('The order is for a different wallet.').waitFor();
    expect(await page.getByRole('button', { name: 'Review payment' }).count()).toBe(0);
    await look(watched, 'other-wallet');
    await page.evaluate('choose(1)');
    await press(page, 'Review payment');
    await page.getByText('Nothing else happens.').waitFor();
  });

  it('says so if the balance is too small, and the order stays open', async () => {
    const { pageUrl } = await order({ amount: '900000000' });
    const watched = await open(pageUrl);
    const { page } = watched;
    await press(page, 'Connect Good');
    await press(page, 'Review payment');
    await press(page, 'Sign and pay');
    await page.getByText('The payment was not sent, because it would fail.').waitFor();
    await page.getByText('Waiting for your payment').waitFor();
    const words = await shown(page);
    expect(words).toContain('first take it off the rollup (“undelegate”), then deposit');
    expect(words).toContain('Deposit with the app that holds your balance');
    expect(words).toContain('spp undelegate; spp deposit AMOUNT');
    await look(watched, 'too-little');
  });

  it('says before the buyer signs that a public balance is too small', async () => {
    const [buyer, shop] = [await world.app.wallet(), await world.app.wallet()];
    for (const wallet of [buyer, shop]) {
      const deposit = { owner: wallet.address, amount: 20_000n, private: false };
      await world.submit(await world.client.deposit(deposit), wallet);
    }
    const key = await register(shop);
    const terms = { payer: buyer.address, cluster: 'localnet' };
    const [tooMuch, enough] = await Promise.all(
      ['20001', '20000'].map((amount) => post<NewOrder>('/v1/payments', termsOf({ ...terms, amount }), key)),
    );
    const { page } = await open(tooMuch?.pageUrl ?? '', [buyer.address], signAs(buyer));
    await press(page, 'Connect Good');
    await press(page, 'Review payment');
    await page.getByText('This payment would fail, so it is not signed.').waitFor();
    expect(await page.getByRole('button', { name: 'Sign and pay' }).count()).toBe(0);
    await page.goto('about:blank');
    await page.goto(enough?.pageUrl ?? '');
    await press(page, 'Connect Good');
    await press(page, 'Review payment');
    await page.getByText('Nothing else happens.').waitFor();
    expect(await shown(page)).not.toContain('Your balance is not checked');
    await press(page, 'Sign and pay');
    await page.getByText('The merchant has the money.').waitFor();
  });

  it('shows pending and completed refunds of an order', async () => {
    const { pageUrl, payment, accessToken } = await order();
    const token = { authorization: `Bearer ${accessToken}` };
    const at = `/v1/payments/${payment.id}`;
    interface Made {
      readonly transactionBase64: string;
      readonly refund: { readonly id: string };
    }
    const { transactionBase64 } = await post<Made>(`${at}/prepare`, {}, token);
    await post(`${at}/settle`, { transactionBase64: await signAs(world.payer)(transactionBase64) }, token);
    const refund = async (reference: string, amount: string): Promise<void> => {
      const made = await post<Made>(`${at}/refunds`, { reference, amount }, merchant);
      const signed = await signAs(world.payee)(made.transactionBase64);
      await post(`${at}/refunds/${made.refund.id}/settle`, { transactionBase64: signed }, merchant);
    };
    await refund('cold', '4000');
    await post(`${at}/refunds`, { reference: 'never signed', amount: '1000' }, merchant);
    const watched = await open(pageUrl);
    const { page } = watched;
    let isPending = true;
    await page.route(`**${at}`, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const body = isPending ? text.replace(/(?<="refunds":.*)"status":"paid"/s, '"status":"pending"') : text;
      await route.fulfill({ response, body });
    });
    await page.reload();
    await page.getByText(/^0\.004\s?USDC is on its way back to you$/).waitFor();
    expect(await shown(page)).toContain('The merchant has the money.');
    isPending = false;
    await page.getByText('Paid, and partly refunded').waitFor();
    const partly = await shown(page);
    expect(partly).toMatch(/0\.004\s?USDC was returned at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(partly).not.toContain('The merchant has the money.');
    expect(partly).not.toContain('0.001');
    await look(watched, 'partly-refunded');
    await refund('never signed', '1000');
    await refund('rest', '5000');
    await page.reload();
    await page.getByText('The merchant has returned all of the money.').waitFor();
    expect((await shown(page)).match(/was returned at/g)).toHaveLength(3);
    await look(watched, 'refunded');
  });

  it('shows the site that the merchant claims', async () => {
    const resource = `https://${'shop.'.repeat(20)}example.com/tea?cup=1`;
    const watched = await open((await order({ resource })).pageUrl);
    const { page } = watched;
    await page.getByText('The merchant says so. This service has not checked it.').waitFor();
    const words = await shown(page);
    expect(words).toMatch(/For\s+(shop\.)+example\.com/);
    expect(words).not.toContain('cup');
    expect(await page.getByRole('link').count()).toBe(0);
    await look(watched, 'resource');
  });

  it('says what a wallet without a balance on the rollup can do', async () => {
    const newcomer = await world.app.wallet();
    const { pageUrl } = await order({ payer: newcomer.address });
    const { page } = await open(pageUrl, [newcomer.address]);
    await press(page, 'Connect Good');
    await press(page, 'Review payment');
    await page.getByText('Your wallet has no balance of this token on the rollup.').waitFor();
  });

  it.each([
    ['refuses', async () => null, 'The user said no. Nothing was paid.'],
    ['returns the transaction unsigned', async (text: string) => text, 'Your wallet signed something else.'],
  ])('says so if the wallet %s', async (_, sign, words) => {
    const { pageUrl } = await order();
    const { page } = await open(pageUrl, undefined, sign);
    await press(page, 'Connect Good');
    await press(page, 'Review payment');
    await press(page, 'Sign and pay');
    await page.getByText(words).waitFor();
    await page.getByRole('button', { name: 'Review payment' }).waitFor();
  });

  it('follows the state of an order that is paid elsewhere', async () => {
    const { pageUrl, payment, accessToken } = await order();
    const { page } = await open(pageUrl);
    await page.getByText('Waiting for your payment').waitFor();
    const token = { authorization: `Bearer ${accessToken}` };
    const at = `/v1/payments/${payment.id}`;
    const { transactionBase64 } = await post<{ transactionBase64: string }>(`${at}/prepare`, {}, token);
    await post(`${at}/settle`, { transactionBase64: await signAs(world.payer)(transactionBase64) }, token);
    await page.getByText('The merchant has the money.').waitFor();
  });

  it('shows whether an order is expired, failed or pending', async () => {
    const { pageUrl, payment } = await order();
    const watched = await watchPage(browser, world.app.serviceUrl, { width: 480 });
    onTestFinished(() => watched.close());
    const { page } = watched;
    let status = 'pending';
    await page.route(`**/v1/payments/${payment.id}`, async (route) => {
      const response = await route.fetch();
      const read = (await response.json()) as object;
      await route.fulfill({ response, json: { ...read, status, signature: 'S'.repeat(88) } });
    });
    for (const [state, words] of [
      ['pending', 'Waiting for the ledger.'],
      ['failed', 'The ledger rejected the payment. No money moved.'],
      ['expired', 'The order was not paid in time.'],
    ] as const) {
      status = state;
      await page.goto('about:blank');
      await page.goto(pageUrl);
      await page.getByText(words).waitFor();
      expect(await page.getByRole('button', { name: /Connect|Review|Sign/ }).count()).toBe(0);
      await look(watched, state);
    }
  });

  it('never shows a wrong amount: without decimals it shows base units', async () => {
    const { pageUrl, payment } = await order();
    const watched = await watchPage(browser, world.app.serviceUrl);
    onTestFinished(() => watched.close());
    await watched.page.route(`**/v1/payments/${payment.id}`, async (route) => {
      const response = await route.fetch();
      const { decimals: _, ...read } = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: read });
    });
    await watched.page.goto(pageUrl);
    await watched.page.getByText('base units of USDC').waitFor();
    expect(await shown(watched.page)).toMatch(/Pay 10,000\s?base units of USDC/);
  });

  it('tries again if the service does not answer', async () => {
    const { pageUrl, payment } = await order();
    const { page } = await open('about:blank');
    let isDown = true;
    await page.route(`**/v1/payments/${payment.id}`, (route) => (isDown ? route.abort() : route.continue()));
    await page.goto(pageUrl);
    await page.getByText('The service does not answer. Trying again.').waitFor();
    isDown = false;
    await page.getByText('Waiting for your payment').waitFor();
  });

  it('shows a QR code of its address if there is no wallet', async () => {
    const { pageUrl } = await order();
    const watched = await open(pageUrl, []);
    const { page } = watched;
    await page.getByText('No wallet found in this browser').waitFor();
    expect(await shown(page)).toContain('a Solana wallet that can sign without sending (Wallet Standard,');
    await look(watched, 'no-wallet');
    const { data } = encode(pageUrl, { ecc: 'M', border: 4 });
    const dark = await page.locator('svg.qr path').getAttribute('d');
    expect(dark?.split('z').length).toBe(data.flat().filter(Boolean).length + 1);
    expect(await shown(page)).toContain('docs/merchants.md');
  });

  it('is the same at every address, and reports an address that opens no payment', async () => {
    const { serviceUrl } = world.app;
    const { pageUrl, accessToken } = await order();
    const [real, unknown] = await Promise.all(
      [pageUrl, `${serviceUrl}/pay/${'0'.repeat(64)}`, `${serviceUrl}/pay/x/y`].map(async (url) => {
        const response = await fetch(url);
        const { headers } = response;
        return {
          status: response.status,
          text: await response.text(),
          headers: ['content-security-policy', 'referrer-policy', 'cache-control', 'etag'].map((name) =>
            headers.get(name),
          ),
        };
      }),
    );
    expect(unknown).toEqual(real);
    expect(real?.status).toBe(200);
    expect(real?.headers).toEqual([
      expect.stringContaining("default-src 'none'; script-src 'self'"),
      'no-referrer',
      'no-cache',
      expect.any(String),
    ]);
    for (const path of [pageUrl.replace(/#.*/, ''), `/pay/${'0'.repeat(64)}#${accessToken}`]) {
      const { page } = await open(path);
      await page.getByText('This address does not open a payment.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
    }
    const { page } = await open(`/pay/${world.payee.address}/${'0'.repeat(64)}`);
    await page.getByText('This payment link does not exist.').waitFor();
  });

  it('does not shift its layout', async () => {
    const { pageUrl } = await order();
    const { page } = await open('about:blank');
    await page.addInitScript(`
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) shifts.push(value);
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.goto(pageUrl);
    await page.getByRole('button', { name: 'Connect Good' }).waitFor();
    await press(page, 'Connect Good');
    await press(page, 'Review payment');
    await page.getByText('Nothing else happens.').waitFor();
    const shifts = await page.evaluate<readonly number[]>('shifts');
    expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.01);
  });
});

it('a service without merchants has no payment page', async () => {
  const app = await runApp();
  onTestFinished(() => app.close());
  expect((await fetch(`${app.serviceUrl}/pay/${'0'.repeat(64)}`)).status).toBe(404);
});
