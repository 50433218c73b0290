import type { Page } from 'playwright-core';

/** The headings of the tour and the button to press at each, from start to end. */
export const STORY: readonly (readonly [heading: RegExp, button: RegExp])[] = [
  [/Make a private payment and see who can read it\./, /^Start the tour$/],
  [/Deposit tokens\./, /^Deposit for both$/],
  [/Alice deposits 3\.5 USDC/, /^Sign as Alice and send$/],
  [/Bob deposits 1 USDC/, /^Sign as Bob and send$/],
  [/Alice pays Bob\./, /^Review before signing$/],
  [/Alice pays Bob 1\.25 USDC on the rollup/, /^Sign as Alice and send$/],
  [/Alice paid Bob 1\.25 USDC\. Who else knows\?/, /^Look as anyone$/],
  [/For anyone else, the payment does not exist\./, /^Next: withdraw$/],
  [/Alice withdraws the rest\./, /^Undelegate$/],
  [/Alice undelegates/, /^Sign as Alice and send$/],
  [/Alice withdraws/, /^Withdraw 2\.25 USDC$/],
  [/Alice withdraws 2\.25 USDC/, /^Sign as Alice and send$/],
];

/** The final heading. */
export const DONE = /Done\. Alice has 8\.75 USDC on the base ledger\./;

/** Returns the main button of the page. */
export const mainButton = (page: Page) => page.locator('main .btn.main');

/** Presses Tab until the main button has the focus. */
export async function tabToMainButton(page: Page): Promise<void> {
  for (let times = 0; times < 120; times += 1) {
    if (await page.evaluate<boolean>("document.activeElement?.matches('main .btn.main') === true")) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not lead to the main button');
}
