import { render } from 'preact';
import { exchange } from '../parts/service-api.ts';
import { signal } from '../parts/signal.ts';
import { createConnection } from '../wallets/connection.ts';
import { findWallets, type FoundWallet } from '../wallets/standard.ts';
import { PayPage } from './pay-page.tsx';
import { readPlace } from './place.ts';
import { Purchase } from './purchase.ts';

/** Waits for the time to pass, and then for the page to be visible. */
async function wait(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  while (document.hidden) {
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }
}

/** Creates a UUID. `crypto.randomUUID` is missing on plain HTTP, for example on a test network. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const [a, b, c, d, e] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => hex.slice(from, to));
  return `${a}-${b}-4${c}-a${d}-${e}`;
}

const place = readPlace(location);
const purchase =
  place &&
  new Purchase(place, {
    exchange,
    // oxlint-disable-next-line no-restricted-globals -- the page's only clock
    nowMs: () => Date.now(),
    wait,
    replaceAddress: (path) => history.replaceState(null, '', path),
    randomUuid,
    storage: sessionStorage,
  });
// Wallets are found before the first render, so that the layout does not shift.
const wallets = signal<readonly FoundWallet[]>([]);
findWallets(globalThis, (found) => {
  wallets.value = found.filter(({ sign }) => sign !== null);
});
void purchase?.follow();
// The part after `#` can change to the token of another order.
addEventListener('hashchange', () => location.reload());
const root = document.getElementById('app');
root?.replaceChildren();
if (root !== null)
  render(<PayPage purchase={purchase} browser={{ wallets, connection: createConnection() }} />, root);
