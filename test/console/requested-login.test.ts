import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { signText } from '../client/sign-text.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { createPayingWorld, type PayingWorld } from './paying-world.ts';
import { mainButton, STORY } from './story.ts';
import { axeFindings, sidewaysPx, watchPage, type WatchedPage } from './watched-page.ts';

/** Steps of the story after which Alice and Bob have deposited. */
const DEPOSITED = 4;

/** A name that looks like a script, and would reverse the text next to it. */
const NAME = '<img src=x onerror=alert(1)>\u202eassistant';

interface Question {
  readonly url: string;
  readonly message: string;
}

describe.skipIf(WITHOUT_BROWSER)('an assistant whose user logs in on the page', () => {
  let world: PayingWorld;
  let browser: Browser;
  beforeAll(async () => {
    world = await createPayingWorld('for lunch');
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await closePages();
    await world?.close();
  });

  async function openPage(width?: number): Promise<WatchedPage> {
    const watched = await watchPage(browser, world.app.serviceUrl, {
      isOverheard: true,
      ...(width !== undefined && { width }),
    });
    onTestFinished(() => watched.close());
    return watched;
  }

  /** Asks for a balance as an assistant; what it asks its user, and the answer that comes of it. */
  async function askFor(wallet: string) {
    const client = new Client(
      { name: NAME, version: '1' },
      { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const asked = new Promise<Question>((hear) => {
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        hear(params as never as Question);
        return { action: 'accept' };
      });
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${world.app.serviceUrl}/mcp`)));
    onTestFinished(() => client.close());
    const call = { name: 'spl.getPrivateBalance', arguments: { address: wallet, mint: USDC_MINT } };
    const answer = client.callTool(call);
    const { url, message } = await asked;
    return { url, answer, code: /code ([A-Z2-9-]{7})\./.exec(message)?.[1] ?? '' };
  }

  /** Makes wallets that have deposited, and keeps their keys in the browser. @returns Alice's address. */
  async function keepAlice(page: Page): Promise<string> {
    await page.goto('/');
    for (const [, label] of STORY.slice(0, DEPOSITED))
      await mainButton(page).filter({ hasText: label }).click();
    const card = page.locator('section[aria-label="Alice’s wallet"]');
    await card.getByText('only Alice can read this').waitFor();
    const alice = (await card.locator('[data-copy]').first().getAttribute('data-copy')) ?? '';
    await page.getByRole('button', { name: 'Store them in this browser' }).click();
    await page.locator('section[aria-label="Store the keys"] .btn.danger').click();
    await page.locator('section[aria-label="Stored keys"]').waitFor();
    return alice;
  }

  /** Gives the page a next challenge that is more than a minute old. */
  async function ageNextChallenge(page: Page): Promise<void> {
    await page.route(
      '**/v1/spl/challenge?*',
      async (route) => {
        const response = await route.fetch();
        const { challenge } = (await response.json()) as { readonly challenge: string };
        const old = challenge.replace(/Timestamp: (\d+)/, (_, made) => `Timestamp: ${Number(made) - 90}`);
        await route.fulfill({ response, json: { challenge: old } });
      },
      { times: 1 },
    );
  }

  const codeField = (page: Page) => page.getByLabel('Code that the assistant shows you');

  it('gets the balance of a test wallet in this browser after the codes were compared', async () => {
    const { page, errors, received } = await openPage();
    const alice = await keepAlice(page);
    const { url, code, answer } = await askFor(alice);
    await page.goto(url);
    await page.getByText(USDC_MINT).waitFor();
    const shown = await page.locator('main').innerText();
    expect(shown).toContain('<img src=x onerror=alert(1)>');
    expect(shown).not.toContain('\u202e');
    expect(shown).toMatch(/Rollup of\s+the service’s default cluster/i);
    expect(shown).not.toContain(code);
    await page.getByText(`User: ${alice}`).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const handOver = page.getByRole('button', { name: 'Sign and approve' });
    expect(await handOver.isDisabled()).toBe(true);
    await codeField(page).fill('AAA-AAA');
    await handOver.click();
    await page.getByText('This is not the code that the assistant shows').waitFor();
    await page.getByText(`User: ${alice}`).waitFor();
    await codeField(page).fill(code.toLowerCase());
    await handOver.click();
    await page.getByText('Approved.').waitFor();
    expect((await answer).structuredContent).toMatchObject({ balance: '3500000' });
    // The page received no token for it, so it has none to lose.
    const answers = (await received()).filter(({ url: from }) => from.includes('/console/api/login'));
    expect(answers.map(({ text }) => text).join()).not.toMatch(/token"/);
    expect(errors.filter((error) => !error.includes('422'))).toEqual([]);
  });

  it('gets it at the first press, although the user read the text for more than a minute', async () => {
    const { page, errors } = await openPage();
    const alice = await keepAlice(page);
    const { url, code, answer } = await askFor(alice);
    await ageNextChallenge(page);
    await page.goto(url);
    await page.getByText(`User: ${alice}`).waitFor();
    await codeField(page).fill(code);
    await page.getByRole('button', { name: 'Sign and approve' }).click();
    await page.getByText('Approved.').waitFor();
    const shown = await page.locator('main').innerText();
    expect(shown.trim()).toMatch(
      /The assistant gets one answer if it asks again .* You can close this page\.$/,
    );
    await page.close();
    expect((await answer).structuredContent).toMatchObject({ balance: '3500000' });
    expect(errors).toEqual([]);
  });

  it('finds next to it the page’s own login, whose token lasts a day and is deleted with the tab', async () => {
    const { page, context } = await openPage();
    const alice = await keepAlice(page);
    const other = await context.newPage();
    await ageNextChallenge(other);
    await other.goto(`/console/login?wallet=${alice}`);
    await other.getByText('The token is valid for one day and stays in the memory of this tab.').waitFor();
    // Read on its way: once the page has taken it, the browser may have let go of the body.
    let answer = '';
    await other.route('**/v1/spl/login', async (route) => {
      const response = await route.fetch();
      answer = await response.text();
      await route.fulfill({ response });
    });
    await other.getByRole('button', { name: 'Sign and log in' }).click();
    await other.getByText('Logged in.').waitFor();
    const { token, expiresAt } = JSON.parse(answer) as { token: string; expiresAt: number };
    const leftMinutes = (expiresAt - Date.now()) / 60_000;
    expect(Math.abs(leftMinutes - 24 * 60)).toBeLessThan(10);
    const kept = await other.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toContain(token);
    await other.close();
    const again = await context.newPage();
    await again.goto('/?as=owner');
    await again.getByText('this tab has no token').waitFor();
    expect(await again.locator('#vp-owner').isDisabled()).toBe(true);
  });

  it('gets it with a signature pasted from a wallet elsewhere', async () => {
    const { page } = await openPage(390);
    const { url, code, answer } = await askFor(world.payer.address);
    await page.goto(url);
    const text = page.locator('main pre');
    await text.getByText(`User: ${world.payer.address}`).waitFor();
    expect(await sidewaysPx(page)).toBe(0);
    const challenge = (await text.innerText()).trim();
    await codeField(page).fill(code);
    await page.getByLabel('Signature, base58').fill(await signText(world.payee, challenge));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('alert').waitFor();
    await text.getByText(`User: ${world.payer.address}`).waitFor();
    const again = (await text.innerText()).trim();
    await page.getByLabel('Signature, base58').fill(await signText(world.payer, again));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved.').waitFor();
    expect((await answer).structuredContent).toMatchObject({ balance: '1769481' });
  });

  it('gets nothing if the user declines, and the address is no longer valid', async () => {
    const { page } = await openPage();
    const { url, answer } = await askFor(world.payee.address);
    await page.goto(url);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('The assistant gets nothing.').waitFor();
    expect(await answer).toMatchObject({ isError: true });
    await page.reload();
    await page.getByText('This login is not open').waitFor();
  });
});
