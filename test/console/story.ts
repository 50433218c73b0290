import type { Page } from 'playwright-core';

/** What is pressed from the first look to the end, and what the stage says before it. */
export const STORY: readonly (readonly [heading: RegExp, button: RegExp])[] = [
  [/See a private payment happen\./, /^Make two wallets$/],
  [/Put some in the vault\./, /^Deposit for both$/],
  [/Alice deposits 3\.5 USDC/, /^Sign as Alice and send$/],
  [/Bob deposits 1 USDC/, /^Sign as Bob and send$/],
  [/Alice pays Bob\./, /^Look before you sign$/],
  [/Alice pays Bob 1\.25 USDC on the rollup/, /^Sign as Alice and send$/],
  [/Alice paid Bob 1\.25 USDC\. Who else knows\?/, /^Look as anyone$/],
  [/To anyone else, it is not there\./, /^Next: take it out$/],
  [/Alice takes the rest out\./, /^Ask for it back$/],
  [/Alice asks for it back|Alice.*back/, /^Sign as Alice and send$/],
  [/Alice takes/, /^Take out 2\.25 USDC$/],
  [/Alice takes out 2\.25 USDC/, /^Sign as Alice and send$/],
];

/** What the stage says at its end. */
export const DONE = /Done\. 8\.75 USDC are Alice’s on base\./;

/** The one main button of the page. */
export const mainButton = (page: Page) => page.locator('main .btn.main');

/** Presses Tab until the main button has the focus. */
export async function tabToMainButton(page: Page): Promise<void> {
  for (let times = 0; times < 120; times += 1) {
    if (await page.evaluate<boolean>("document.activeElement?.matches('main .btn.main') === true")) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not lead to the main button');
}
