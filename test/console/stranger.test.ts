import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { parseAddress } from '../../src/solana/address.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { createPayingWorld, type PayingWorld } from './paying-world.ts';
import { type WatchedPage, watchPage } from './watched-page.ts';

const MEMO = 'for lunch, between us two';

describe.skipIf(WITHOUT_BROWSER)('the page without the owner’s token', () => {
  let world: PayingWorld;
  let browser: Browser;
  beforeAll(async () => {
    world = await createPayingWorld(MEMO);
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await closePages();
    await world?.close();
  });

  /** Opens places one after the other, and waits until each has what it asks for. */
  async function visit(watched: WatchedPage, places: readonly string[]): Promise<string> {
    let seen = '';
    for (const place of places) {
      await watched.page.goto(place);
      await watched.settled();
      seen += `\n${await watched.page.title()}\n${await watched.page.content()}`;
    }
    return seen;
  }

  const placesAs = (as: string): string[] => [
    `/?as=${as}`,
    `/console/explorer?as=${as}`,
    `/console/explorer?ledger=rollup&as=${as}`,
    `/console/base/tx/${world.deposit}?as=${as}`,
    `/console/base/account/${world.payer.address}?as=${as}`,
    `/console/rollup/account/${world.payer.address}?as=${as}`,
    `/console/rollup/account/${world.payee.address}?as=${as}`,
    `/console/life/${world.payer.address}?as=${as}`,
    `/console/books/${USDC_MINT}?as=${as}`,
    '/console/requests?own=1',
    '/console/operations',
  ];

  it.each(['anyone', 'base'])('shows no private amount, note or signature as %s', async (as) => {
    const watched = await watchPage(browser, world.app.serviceUrl, { isOverheard: true });
    const seen = await visit(watched, placesAs(as));
    const received = await watched.received();
    const { amounts, memo, signature } = world.secrets;
    expect(received.length).toBeGreaterThan(20);
    for (const secret of [...amounts, memo, signature]) {
      expect(received.filter(({ text }) => text.includes(secret)).map(({ url }) => url)).toEqual([]);
      expect(seen).not.toContain(secret);
    }
    expect(received.filter(({ hasToken }) => hasToken)).toEqual([]);
    expect({ errors: watched.errors, foreign: watched.foreign }).toEqual({ errors: [], foreign: [] });
    await watched.close();
  });

  it('shows anyone who knows the signature that it landed, and nothing else', async () => {
    const watched = await watchPage(browser, world.app.serviceUrl, { isOverheard: true });
    const { amounts, memo, signature } = world.secrets;
    const seen = await visit(watched, [`/console/rollup/tx/${signature}?as=anyone`]);
    expect(seen).toContain('no such transaction');
    expect(seen).toContain('can see that it landed');
    for (const secret of [...amounts, memo, world.payer.address, world.payee.address]) {
      expect(seen).not.toContain(secret);
      expect(
        (await watched.received()).filter(({ text }) => text.includes(secret)).map(({ url }) => url),
      ).toEqual([]);
    }
    await watched.close();
  });

  it('does not show the balance on base as that of a private account on the rollup', async () => {
    const watched = await watchPage(browser, world.app.serviceUrl, { isOverheard: true });
    const ata = deriveAta(parseAddress(world.payer.address, 'payer'), USDC_MINT, TOKEN_PROGRAM).address;
    await visit(watched, [`/console/rollup/account/${ata}?as=anyone`]);
    const account = await watched.page.locator('section[aria-label="Account"]').innerText();
    const [rollup = '', base = ''] = account.split('On base');
    expect(rollup).toContain('No account on the rollup');
    expect(rollup).not.toContain('USDC');
    expect(base).toMatch(/Balance\s+6\.5/);
    await watched.close();
  });

  it('would reveal the secrets if they were there: the owner’s own answer contains them', async () => {
    const response = await fetch(`${world.app.serviceUrl}/console/rpc/rollup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'getTransaction',
        params: [world.secrets.signature, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 }],
      }),
    });
    const text = await response.text();
    expect(text).toContain(MEMO);
    expect(text).toContain(world.secrets.amounts[0]);
  });
});
