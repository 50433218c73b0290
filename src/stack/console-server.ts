import { fileURLToPath } from 'node:url';
import { ACCOUNTS_ROUTE } from '../console/accounts-route.ts';
import { createReadRoute } from '../console/api-route.ts';
import { Books, createBooksRoute } from '../console/books.ts';
import { createFormsRoute } from '../console/calls/call-forms.ts';
import { type CallLog, createRequestsRoute } from '../console/calls/call-log.ts';
import { ERROR_TITLES_ROUTE } from '../console/calls/failure-words.ts';
import { type Console, createConsole, createSameOriginGuard, type RpcDoors } from '../console/console.ts';
import { DECODE_ROUTE } from '../console/decode.ts';
import { createEventsRoute, EventFeed, reportSettlements } from '../console/events/event-feed.ts';
import { createLoginRoutes } from '../console/login-routes.ts';
import { operationsOf, type ShownFacilitator } from '../console/operations.ts';

import { createSnapshotRoutes, type Snapshots } from '../console/snapshots.ts';
import { systemClock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { systemTimer } from '../ports/timer.ts';
import type { LoginStore } from '../service/mcp/logins/login-store.ts';
import { RequestedLogins } from '../service/mcp/logins/requested-logins.ts';
import { type PageFiles, readPage } from '../service/page-files.ts';
import { createStateReader, type StateSources, symbolOf } from './console-state.ts';
import type { FacilitatorReader } from './facilitator-figures.ts';
import type { NodeContext, Resource } from './node.ts';
import type { Nodes } from './nodes.ts';
import { createRateLimiter } from './tool-server.ts';

/** The build folder of the console. Its relative path is the same from the sources and the bundle. */
const FOLDER = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** The console's files. They are read once, because a localnet reopens its console at each reset. */
let built: PageFiles | null = null;
const readBuilt = (logger: Logger): PageFiles | null => (built ??= readPage(FOLDER, logger));

interface ConsoleParts extends Omit<StateSources, 'snapshots'> {
  /** The snapshots of a localnet, if it has any. */
  readonly snapshots?: Snapshots | undefined;
  /** The logins that all processes of the service share. */
  readonly loginStore: LoginStore;
  readonly calls: CallLog;
  readonly doors: RpcDoors;
  /** The folder with the console's files. Default: the output folder of the build. */
  readonly folder?: string | undefined;
}

/** The open console. */
export interface OpenedConsole extends Console {
  /** Logins requested by MCP clients and answered on the page; null if others can reach the page. */
  readonly logins: RequestedLogins | null;
  /** Adds the facilitator to the operations view. */
  showFacilitator(read: FacilitatorReader): void;
}

/** Opens the console. Call `close` when no request is in flight. */
export function openConsole(parts: ConsoleParts): OpenedConsole & Resource {
  const { folder, doors, calls } = parts;
  const { config, ports, guard, findClient } = parts.context;
  const snapshots = (config.ledgerCheats && parts.snapshots) || null;
  const sources = { ...parts, snapshots };
  const books = openBooks(sources.nodes);
  const logins = openLogins(parts);
  const readState = createStateReader(sources, systemTimer);
  let readFacilitator = async (): Promise<ShownFacilitator | null> => null;
  const { feed, close: closeFeed } = openFeed(sources, calls);
  const console = createConsole({
    guard: guardOf(sources.context, guard),
    surroundings: { logger: ports.logger, random: ports.random, findClient },
    files: folder === undefined ? readBuilt(ports.logger) : readPage(folder, ports.logger),
    doors,
    api: [
      createReadRoute('/console/api/state', readState),
      createReadRoute('/console/api/operations', async () =>
        operationsOf(...(await Promise.all([readState(), readFacilitator()]))),
      ),
      createRequestsRoute(calls),
      createFormsRoute(calls),
      ERROR_TITLES_ROUTE,
      createEventsRoute(feed),
      createBooksRoute(books),
      ACCOUNTS_ROUTE,
      DECODE_ROUTE,
      ...(logins === null ? [] : createLoginRoutes(logins)),
      ...(snapshots === null ? [] : createSnapshotRoutes(snapshots)),
    ],
    rateLimiter: createRateLimiter(config, ports.clock),
  });
  return {
    ...console,
    logins,
    showFacilitator(read) {
      const url = `${config.publicUrl ?? parts.urls.service}/x402`;
      readFacilitator = async () => {
        const { payments, ...rest } = await read();
        // These figures change with private payments, so they are shown only if `/metrics` shows them too.
        return { url, ...rest, payments: config.metrics ? payments : undefined };
      };
    },
    close() {
      closeFeed();
      books?.close();
    },
  };
}

/** Opens the logins of MCP clients; null unless only this machine can reach the console. */
function openLogins({ context: { config }, urls, loginStore }: ConsoleParts): RequestedLogins | null {
  if (config.exposure !== 'machine') return null;
  // The logins use the system's random bytes and clock. Others may know the seed of a localnet, and its clock
  // may stand still.
  return new RequestedLogins({
    store: loginStore,
    origin: urls.service,
    random: systemRandom,
    clock: systemClock,
    timer: systemTimer,
  });
}

/** Opens the event feed, with a function that closes it. */
function openFeed({ nodes }: StateSources, calls: CallLog): { readonly feed: EventFeed; close(): void } {
  // The clock of a localnet may stand still.
  const timer = systemTimer;
  const feed = new EventFeed(timer);
  const unsubscribes = [
    calls.subscribe((data) => feed.send({ kind: 'request', data })),
    nodes.ledgers?.base.subscribe(reportSettlements((data) => feed.send({ kind: 'settlement', data }))),
  ];
  return {
    feed,
    close() {
      feed.close();
      for (const unsubscribe of unsubscribes) unsubscribe?.();
    },
  };
}

/** Opens the books of the embedded ledger; null without one. */
function openBooks({ ledgers, mints }: Nodes): Books | null {
  if (ledgers === null) return null;
  const known = mints.map(({ name, address }) => ({ mint: address, symbol: symbolOf(name) }));
  return new Books({ base: ledgers.base, clock: performance, timer: systemTimer, known });
}

/** Combines the host guard of every listener with the console's check of origins. */
function guardOf({ config }: NodeContext, listenerGuard: NodeContext['guard']): NodeContext['guard'] {
  const { host: boundHost, allowedHosts, publicUrl } = config;
  const isSameOrigin = createSameOriginGuard({ boundHost, allowedHosts, publicOrigin: publicUrl });
  return (request) => (listenerGuard(request) === 'foreign-host' ? 'foreign-host' : isSameOrigin(request));
}
