import { fileURLToPath } from 'node:url';
import { ACCOUNTS_ROUTE } from '../console/accounts-route.ts';
import { createReadRoute } from '../console/api-route.ts';
import { Books, createBooksRoute } from '../console/books/books.ts';
import { type CallLog, createRequestsRoute } from '../console/calls/call-log.ts';
import { createFormsRoute } from '../console/calls/call-forms.ts';
import { operationsOf } from '../console/operations.ts';
import { WAYS_OUT_ROUTE } from '../console/calls/failure-words.ts';
import { createConsole, type Console, type RpcDoors } from '../console/console.ts';
import { EventFeed, createEventsRoute } from '../console/events/event-feed.ts';
import { tellSettlements, watchHealth } from '../console/events/event-sources.ts';
import type { ConsoleState } from '../console/answers.ts';
import { DECODE_ROUTE } from '../console/decode.ts';
import { createSameOriginGuard } from '../console/same-origin.ts';
import { SEGMENTS_ROUTE } from '../console/segments.ts';
import { createSnapshotRoutes, type Snapshots } from '../console/snapshots.ts';
import { readShellFiles, type ShellFiles } from '../console/shell.ts';
import { createLoginRoutes } from '../console/login-routes.ts';
import type { Logger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { systemTimer } from '../ports/timer.ts';
import { AskedLogins } from '../service/mcp/logins/asked-logins.ts';
import { RequestIds } from '../service/request-ids.ts';
import { createStateReader, symbolOf, type StateSources } from './console-state.ts';
import type { NodeContext } from './node.ts';
import type { Nodes } from './nodes.ts';
import type { Resource } from './resources.ts';
import { createRateLimiter } from './tool-service.ts';

/** Where the build puts the page: the same from the sources and from what is built of them. */
const FOLDER = fileURLToPath(new URL('../../dist/console', import.meta.url));

/**
 * What is in it; the build writes it before anything starts. A localnet opens its console anew with each
 * reset.
 */
let built: ShellFiles | null = null;
const readBuilt = (logger: Logger): ShellFiles | null => (built ??= readShellFiles(FOLDER, logger));

/** What the console is opened with. */
interface ConsoleParts extends Omit<StateSources, 'snapshots'> {
  /** Of a localnet that can be brought back; left out for others. */
  readonly snapshots?: Snapshots | undefined;
  readonly calls: CallLog;
  readonly doors: RpcDoors;
  /** Where the page is; where the build puts it when left out. */
  readonly folder?: string | undefined;
}

/** The console as the process that has the ledger opens it. */
export interface OpenedConsole extends Console {
  /** Logins that MCP clients ask for, which people answer on the page; null where others reach it as well. */
  readonly logins: AskedLogins | null;
}

/**
 * Opens the console of the settings. `close`, for when no request is in flight, ends what it keeps up with.
 */
export function openConsole(parts: ConsoleParts): OpenedConsole & Resource {
  const { folder, doors, calls } = parts;
  const { config, ports, guard, findClient } = parts.context;
  const snapshots = (config.ledgerCheats && parts.snapshots) || null;
  const sources = { ...parts, snapshots };
  const books = openBooks(sources.nodes);
  const logins = openLogins(sources);
  const readState = createStateReader(sources, systemTimer);
  const { feed, close: closeFeed } = openFeed(sources, calls, readState);
  const console = createConsole({
    guard: guardOf(sources.context, guard),
    surroundings: { logger: ports.logger, requestIds: new RequestIds(ports.random), findClient },
    files: folder === undefined ? readBuilt(ports.logger) : readShellFiles(folder, ports.logger),
    doors,
    api: [
      createReadRoute('/console/api/state', readState),
      createReadRoute('/console/api/operations', async () => operationsOf(await readState())),
      createRequestsRoute(calls),
      createFormsRoute(calls),
      WAYS_OUT_ROUTE,
      createEventsRoute(feed),
      createBooksRoute(books),
      ACCOUNTS_ROUTE,
      DECODE_ROUTE,
      SEGMENTS_ROUTE,
      ...(logins === null ? [] : createLoginRoutes(logins)),
      ...(snapshots === null ? [] : createSnapshotRoutes(snapshots)),
    ],
    rateLimiter: createRateLimiter(config, ports.clock),
  });
  return {
    ...console,
    logins,
    close() {
      closeFeed();
      books?.close();
    },
  };
}

/**
 * A page that is for this machine alone is the only one that anybody is sent to, and the process that is
 * asked has to be the one that answers.
 */
function openLogins({ context: { config }, urls }: StateSources): AskedLogins | null {
  if (config.exposure !== 'machine' || config.workers > 1) return null;
  // Secrets of callers are never drawn from the seed of a localnet: whoever knows that would know them.
  return new AskedLogins({ origin: urls.service, random: systemRandom, timer: systemTimer });
}

/** The feed of what happens, and what ends its following. */
function openFeed(
  { context, nodes }: StateSources,
  calls: CallLog,
  readState: () => Promise<ConsoleState>,
): { readonly feed: EventFeed; close(): void } {
  // The time of a localnet may stand still; that of its clients does not.
  const timer = systemTimer;
  const run = Buffer.from(context.ports.random.bytes(6)).toString('hex');
  const feed = new EventFeed({ run, timer });
  const unsubscribes = [
    calls.subscribe((data) => feed.tell({ kind: 'request', data })),
    nodes.ledgers?.base.subscribe(tellSettlements((data) => feed.tell({ kind: 'settlement', data }))),
    watchHealth({
      read: async () => (await readState()).health,
      isWanted: () => feed.hasListeners,
      timer,
      tell: (health) => feed.tell({ kind: 'state', data: { health } }),
    }),
  ];
  return {
    feed,
    close() {
      feed.close();
      for (const unsubscribe of unsubscribes) unsubscribe?.();
    },
  };
}

/** The books of the embedded ledger; null where there is none. */
function openBooks({ ledgers, mints }: Nodes): Books | null {
  if (ledgers === null) return null;
  const known = mints.map(({ name, address }) => ({ mint: address, symbol: symbolOf(name) }));
  return new Books({ base: ledgers.base, clock: performance, timer: systemTimer, known });
}

/** The rule of every listener for names, and the console's own for pages. */
function guardOf({ config }: NodeContext, listenerGuard: NodeContext['guard']): NodeContext['guard'] {
  const { host: boundHost, allowedHosts, publicUrl } = config;
  const isSameOrigin = createSameOriginGuard({ boundHost, allowedHosts, publicOrigin: publicUrl });
  return (request) => (listenerGuard(request) === 'foreign-host' ? 'foreign-host' : isSameOrigin(request));
}
