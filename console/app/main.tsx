import { render } from 'preact';
import { createConsole, setConsole } from '../context/console.ts';
import { readState, type ConsoleState } from '../context/console-state.ts';
import { pastOf, watchBase } from '../context/ledger-watch.ts';
import { navigate } from '../parts/location.ts';
import { setKnown } from '../parts/names.ts';
import { Play } from '../play/flow.ts';
import { setPlay, usePlay } from '../play/play-context.ts';
import { afterMs, openSocket } from '../readers/feed.ts';
import { browserPorts } from '../readers/transport.ts';
import { restoreWallets } from '../wallets/stored-wallets.ts';
import { App } from './app.tsx';
import { knownBy } from './known.ts';
import { storedTheme, setTheme } from './theme.ts';
import { withViewpoint } from './viewpoint.ts';

/** Delay before a failed request is repeated, ms. */
const RETRY_MS = 2_000;

const page = createConsole({
  origin: location.origin,
  rpc: browserPorts,
  openSocket,
  after: afterMs,
  // oxlint-disable-next-line no-restricted-globals -- the page's only clock
  nowMs: () => Date.now(),
});
const createPlay = (): Play =>
  new Play(
    page,
    (as) => {
      navigate(withViewpoint(location.pathname, location.search, as), { replace: true });
    },
    sessionStorage,
  );
let play = createPlay();

/** Loads the state of the service. */
async function knowState(): Promise<ConsoleState> {
  const state = await untilAnswered(readState);
  page.state.value = state;
  return state;
}

/** Repeats a request until the service answers. The page shows the error in the meantime. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const answer = await ask();
      page.stateFault.value = null;
      return answer;
    } catch (error) {
      page.stateFault.value = error instanceof Error ? error.message : String(error);
      await page.wait(RETRY_MS);
    }
  }
}

async function begin(): Promise<void> {
  const state = await knowState();
  if (state.base.genesisHash !== null) watchBase(page.feeds, pastOf(state), askPast, () => void beginAnew());
  if (!state.play) return;
  // Runs before anything else is built, because a stored transaction may have landed.
  void play.settleStored();
  if ((await restoreWallets(page.wallets, localStorage)) === 0) return;
  await untilAnswered(() => play.adopt());
}

const askPast = (): Promise<string | null> => readState().then(pastOf, () => null);

/** Restarts after a reset or snapshot restore. The keys stay; the first step funds them again. */
async function beginAnew(): Promise<void> {
  page.startAnew();
  play = createPlay();
  setPlay(play);
  await knowState();
}

setTheme(storedTheme(localStorage), document.documentElement, localStorage);
setConsole(page);
setPlay(play);
setKnown(knownBy(page, usePlay));
const root = document.getElementById('app');
root?.replaceChildren();
if (root !== null) render(<App />, root);
void begin();
