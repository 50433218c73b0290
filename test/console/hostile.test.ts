import { getBase58Decoder } from '@solana/kit';
import { randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EPHEMERAL_TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { STEALTH_POOL_BYTES } from '../../src/programs/ephemeral-token/layout-b/stealth-pool.ts';
import { deriveStealthPool } from '../../src/programs/ephemeral-token/stealth-pool.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { createPayingWorld, type PayingWorld } from './paying-world.ts';
import { sidewaysPx, type WatchedPage, watchPage } from './watched-page.ts';

/** A note that would run, turn its line round, hide itself and fill the page, if it were let. */
const HOSTILE = `<img src=x onerror="window.taken=1"><script>window.taken=1</script>\u202egnp.exe\u202c\u200b\u001b[31m`;

describe.skipIf(WITHOUT_BROWSER)('hostile content on the page', () => {
  let world: PayingWorld;
  let browser: Browser;
  let publicPayment: string;
  beforeAll(async () => {
    world = await createPayingWorld('for lunch');
    const { client, payer, payee } = world;
    const built = await client.transfer({
      from: payer.address,
      to: payee.address,
      mint: USDC_MINT,
      amount: 1n,
      fromBalance: 'base',
      toBalance: 'base',
      visibility: 'public',
      memo: `${HOSTILE}${'A'.repeat(200)}`,
    });
    publicPayment = await world.submit(built, payer);
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await closePages();
    await world?.close();
  });

  async function open(path: string, watched?: WatchedPage): Promise<WatchedPage> {
    const page = watched ?? (await watchPage(browser, world.app.serviceUrl, { width: 390 }));
    await page.page.goto(path);
    await page.page.locator('section.card header').first().waitFor();
    return page;
  }

  async function expectUntaken(watched: WatchedPage): Promise<void> {
    const { page, errors, foreign } = watched;
    expect(await page.evaluate('window.taken')).toBeUndefined();
    expect(await page.locator('main img, main script').count()).toBe(0);
    const shown = await page.locator('main').innerText();
    expect(['\u202e', '\u202c', '\u200b', '\u001b'].filter((hidden) => shown.includes(hidden))).toEqual([]);
    expect(await sidewaysPx(page)).toBe(0);
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] });
  }

  it('shows a note as text, hidden characters by name, and its end on demand', async () => {
    const watched = await open(`/console/base/tx/${publicPayment}?as=base`);
    const { page } = watched;
    await page.getByText('window.taken=1').first().waitFor();
    expect(await page.locator('.ch').allInnerTexts()).toEqual(
      expect.arrayContaining(['U+202E', 'U+200B', '\u241b']),
    );
    expect(await page.locator('main').innerText()).not.toContain('A'.repeat(150));
    await page.locator('.facts').getByRole('button', { name: 'show all' }).click();
    expect(await page.locator('main').innerText()).toContain('A'.repeat(150));
    await expectUntaken(watched);
    await watched.close();
  });

  it('shows the size of an account that it cannot decode, and guesses nothing', async () => {
    const address = getBase58Decoder().decode(randomBytes(32));
    const data = randomBytes(567).toString('hex');
    await world.app.ask('surfnet_setAccount', address, {
      lamports: 10_000_000,
      owner: EPHEMERAL_TOKEN_PROGRAM,
      data,
    });
    const watched = await open(`/console/base/account/${address}?as=base`);
    await watched.page.getByText('567 bytes, not decoded').waitFor();
    await expectUntaken(watched);
    await watched.close();
  });

  it('shows the handle of a stealth pool as text, and hidden characters by name', async () => {
    const address = deriveStealthPool(HOSTILE).address;
    const handle = Buffer.from(HOSTILE);
    const pool = Buffer.alloc(STEALTH_POOL_BYTES);
    pool.write('stpool@1');
    randomBytes(32).copy(pool, 10);
    pool[42] = handle.length;
    handle.copy(pool, 43);
    pool[298] = 1;
    randomBytes(32).copy(pool, 299);
    await world.app.ask('surfnet_setAccount', address, {
      lamports: 10_000_000,
      owner: EPHEMERAL_TOKEN_PROGRAM,
      data: pool.toString('hex'),
    });
    const watched = await open(`/console/base/account/${address}?as=base`);
    await watched.page.getByText('window.taken=1').first().waitFor();
    expect(await watched.page.locator('main .ch').allInnerTexts()).toEqual(
      expect.arrayContaining(['U+202E', 'U+202C', 'U+200B', '\u241b']),
    );
    await expectUntaken(watched);
    await watched.close();
  });

  it.each([`USDC\u202e\u200b`, HOSTILE])(
    'shows the address of a mint as the unit if its symbol is %j',
    async (symbol) => {
      const watched = await watchPage(browser, world.app.serviceUrl, { width: 390 });
      for (const path of ['state', 'books'])
        await watched.page.route(`**/console/api/${path}`, async (route) => {
          const response = await route.fetch();
          const json = (await response.json()) as { mints?: object[] } | object[];
          for (const one of Array.isArray(json) ? json : (json.mints ?? [])) Object.assign(one, { symbol });
          await route.fulfill({ response, json });
        });
      await open(`/console/books/${USDC_MINT}?as=base`, watched);
      await watched.page.getByText('In the vault').waitFor();
      const shown = await watched.page.locator('main').innerText();
      expect(shown).toContain(`Books of ${USDC_MINT.slice(0, 4)}`);
      expect(shown).not.toContain(symbol.slice(0, 4));
      await expectUntaken(watched);
      await watched.close();
    },
  );

  it('stays small if a node sends ten million bytes of logs', async () => {
    const watched = await watchPage(browser, world.app.serviceUrl, { width: 390 });
    const logMessages = Array.from(
      { length: 10_000 },
      (_, at) => `Program log: ${HOSTILE}${at}${'x'.repeat(900)}`,
    );
    await watched.page.route('**/console/rpc/base', async (route) => {
      const response = await route.fetch();
      const answers = (await response.json()) as { result?: { meta?: object } | null }[];
      for (const { result } of Array.isArray(answers) ? answers : [answers]) {
        if (result?.meta !== undefined) Object.assign(result.meta, { logMessages });
      }
      await route.fulfill({ response, json: answers });
    });
    await open(`/console/base/tx/${publicPayment}?as=base`, watched);
    await watched.page.locator('.log').getByText('show all 2,001 lines').waitFor();
    expect(await watched.page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(6_000);
    await expectUntaken(watched);
    await watched.close();
  });

  it.each([
    '/console/base/tx/%3Cscript%3Ewindow.taken=1%3C%2Fscript%3E',
    '/console/base/account/..%2f..%2fetc',
    '/console/rollup/block/999999999999999999999',
    '/console/explorer?ledger=%3Cb%3E&failed=2',
  ])('handles a URL that leads nowhere: %s', async (path) => {
    const watched = await watchPage(browser, world.app.serviceUrl, { width: 390 });
    await watched.page.goto(path);
    await watched.page.locator('main').waitFor();
    await watched.settled();
    await expectUntaken(watched);
    await watched.close();
  });
});
