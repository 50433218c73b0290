import { createPrivatePayments, type PrivatePayments } from '../../src/client/private-payments.ts';
import type { TokenAccounts } from '../../src/console/answers.ts';
import type { Ledger, Viewpoint } from '../parts/reader.ts';
import { postJson } from '../parts/service-api.ts';
import { computed, type ReadonlySignal, signal, type Signal } from '../parts/signal.ts';
import { createFeeds, type Feeds, type Socket } from '../readers/feed.ts';
import { createReaders, type Readers } from '../readers/readers.ts';
import type { ReaderPorts } from '../readers/transport.ts';
import { type Connection, createConnection } from '../wallets/connection.ts';
import { createWallets, type Wallets } from '../wallets/wallets.ts';
import { atMostEvery } from './at-most.ts';
import type { ConsoleState, TableMint } from './console-state.ts';

/** The console's access to the network, timers and the clock. */
interface ConsolePorts {
  /** Origin of the page and of the service. */
  readonly origin: string;
  readonly rpc: ReaderPorts;
  openSocket(path: string): Socket;
  after(ms: number, then: () => void): () => void;
  /** ms since 1970. */
  nowMs(): number;
}

/** Input of the explain view. */
export interface ExplainInput {
  /** A transaction in base64, a signature, or a request as JSON. */
  readonly what: string;
  /** The request to compare it with, as JSON; empty for none. */
  readonly request: string;
}

/** State that all views share: the viewpoint, the readers, and the wallets of this tab. */
export interface Console {
  readonly api: PrivatePayments;
  readonly readers: Readers;
  readonly feeds: Feeds;
  readonly wallets: Wallets;
  readonly state: Signal<ConsoleState | null>;
  /** Why the state could not be loaded; null if it was, or is loading. */
  readonly stateFault: Signal<string | null>;
  readonly viewpoint: ReadonlySignal<Viewpoint>;
  /** The wallet whose token is sent in views that are not about one wallet; null if none is logged in. */
  readonly looking: ReadonlySignal<string | null>;
  readonly owners: ReadonlySignal<readonly string[]>;
  /** A counter of reloads. Views load again when it changes. */
  readonly epoch: Signal<number>;
  /** Input of the explain view. Kept in memory only; it never enters a URL. */
  readonly explaining: Signal<ExplainInput>;
  /** The connection to a wallet extension, for real money. */
  readonly connection: Connection;
  /** Loads the accounts of a wallet for a mint. @throws {ServiceFailure} if the request fails. */
  accountsOf(wallet: string, mint: TableMint): Promise<TokenAccounts>;
  /** Changes the viewpoint and drops all answers of the previous one. */
  look(as: Viewpoint): void;
  lookAs(wallet: string): void;
  /** Reloads from both ledgers at once, after an action of this tab. */
  happened(): void;
  /** Reloads what an event of a ledger changes, at most once a second. */
  ledgerChanged(ledger: Ledger): void;
  /** Drops all answers and logins, because the base ledger was replaced. */
  startAnew(): void;
  nowMs(): number;
  wait(ms: number): Promise<void>;
}

/** Minimum time between two reloads after events, ms. */
const REREAD_MS = 1_000;

export function createConsole(ports: ConsolePorts): Console {
  const api = createPrivatePayments({ url: ports.origin });
  const wallets = createWallets(api, ports.nowMs, ports.after);
  const readers = createReaders(ports.rpc, wallets.tokenOf);
  const feeds = createFeeds(ports.openSocket, ports.after, wallets.tokenOf);
  const viewpoint = signal<Viewpoint>('anyone');
  const chosen = signal<string | null>(null);
  const epoch = signal(0);
  const owners = computed(() =>
    wallets.all.value.filter(({ login }) => login !== null).map(({ key }) => key.address),
  );
  const reread = (...ledgers: readonly Ledger[]): void => {
    for (const ledger of ledgers) readers.stale(ledger);
    epoch.value++;
  };
  // A rollup event does not reload base: those requests would reveal the times of private payments. Every
  // change on base has a base event. Base events reload both, because a deposit changes the rollup.
  const ledgerChanged = {
    base: atMostEvery(REREAD_MS, ports.after, () => reread('base', 'rollup')),
    rollup: atMostEvery(REREAD_MS, ports.after, () => reread('rollup')),
  };
  const leave = (): void => {
    readers.forget();
    feeds.closeOwners();
  };
  return {
    api,
    readers,
    feeds,
    wallets,
    viewpoint,
    owners,
    epoch,
    state: signal<ConsoleState | null>(null),
    stateFault: signal<string | null>(null),
    explaining: signal<ExplainInput>({ what: '', request: '' }),
    connection: createConnection(),
    looking: computed(() => {
      const all = owners.value;
      return chosen.value !== null && all.includes(chosen.value) ? chosen.value : (all[0] ?? null);
    }),
    look: (as) => {
      if (as === viewpoint.peek()) return;
      leave();
      viewpoint.value = as;
    },
    lookAs: (wallet) => {
      leave();
      chosen.value = wallet;
    },
    accountsOf: (wallet, { mint, tokenProgram }) =>
      postJson('/console/api/accounts', { wallet, mint, tokenProgram }),
    happened: () => reread('base', 'rollup'),
    ledgerChanged: (ledger) => ledgerChanged[ledger](),
    startAnew: () => {
      leave();
      for (const { key } of wallets.all.peek()) wallets.logOut(key.address);
      epoch.value++;
    },
    nowMs: ports.nowMs,
    wait: (ms) => new Promise((resolve) => void ports.after(ms, resolve)),
  };
}

let shown: Console | null = null;

/** Sets the console of the page. Call it before the page is rendered. */
export function setConsole(console: Console): void {
  shown = console;
}

/** The console of the page. */
export function useConsole(): Console {
  if (shown === null) throw new Error('outside of the console');
  return shown;
}
