import { rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App, NodePlace, Places, StartOptions } from '../app.ts';
import type { Config } from '../config/config.ts';
import { describeExposure } from '../config/exposure.ts';
import { ServiceError } from '../errors/service-error.ts';
import { systemClock } from '../ports/clock.ts';
import { type Logger, withFields } from '../ports/logger.ts';
import { createPinoLogger } from '../ports/pino-logger.ts';
import { systemRandom } from '../ports/random.ts';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import type { Host } from '../supervisor/host.ts';
import type { ListenPorts } from '../supervisor/life.ts';
import type { Arguments } from './arguments.ts';
import { formatBanner } from './banner.ts';
import { die } from './fail.ts';
import { chooseMcpMode, type McpMode, tokenOf } from './mcp-mode.ts';
import { provisionOfRestart } from './provision-flags.ts';
import { applyFlags, readSettings } from './settings.ts';

type StackMode = Exclude<McpMode, { kind: 'bridge' }>;

/**
 * Runs the whole stack in this process. Exits when stopped or, over stdio, when the client closes the input.
 *
 * @throws {ServiceError} the errors of readSettings, assertEngineLoads and startApp; CONFIG_INVALID for
 *   several workers without a supervisor.
 */
export async function runStack(args: Arguments, host: Host): Promise<void> {
  const { restarts, death, settings, worker } = host.start;
  const config = readSettings({ ...settings, ...process.env }, args, host.start.ports);
  const log = createPinoLogger(config.logLevel);
  const logger = worker === null ? log : withFields(log, { worker });
  if (death !== null) logger.warn({ death, restarts }, 'restarting');

  const mode =
    args.command === 'mcp' ? await chooseMcpMode(applyFlags(process.env, args, null), args, config) : null;
  if (mode?.kind === 'bridge') {
    const { runBridge } = await import('./run-bridge.ts');
    return runBridge(mode.serviceUrl, config, { host, logger });
  }
  // Over stdio, stdout carries only the protocol.
  const stdio = mode && { input: process.stdin, output: process.stdout, ...tokenOf(config) };
  // Over stdio, there is one client and no port to share.
  if (config.workers > 1 && worker === null && stdio === null) throw withoutSupervisor();
  const options = { ...startOptionsOf(args, mode, host), ...(stdio && { stdio }) };
  // Check the engine before loading the stack, which takes most of the startup time.
  if (options.node !== 'none') await (await import('../ledger/engine/native-package.ts')).assertEngineLoads();
  const { startApp } = await import('../app.ts');
  const isThrownAway = args.temp || (mode?.kind === 'ledger' && !mode.isKept);
  const dataDir = isThrownAway ? host.start.scratchFolder : config.dataDir;
  const ports = { clock: systemClock, random: systemRandom, logger };
  // After a restart the ledger already has its programs; their source may no longer exist.
  const localnetPrograms = isRestart(host) ? null : config.localnetPrograms;
  const app = await startApp({ ...config, dataDir, localnetPrograms }, ports, options);

  const stop = createStop(app);
  if (host.stopping.aborted) return stop();
  host.stopping.addEventListener('abort', () => {
    logger.info({}, 'draining');
    stop();
  });
  if (stdio !== null) stopAtEnd(stdio.input, stop);
  // Only the first worker writes the file, because all use the same addresses.
  if (args.portFile !== null && (worker ?? 1) === 1) await keepPortFile(args.portFile, placesOf(app));
  const isQuiet = stdio !== null || args.quiet || args.log || isRestart(host);
  announce(app, config, args.json && !isQuiet ? 'json' : isQuiet ? 'quiet' : 'banner', logger);
  // Skip this for stdio clients, which start often, and for restarts.
  if (stdio === null && !isRestart(host) && usesNetworks(config)) void compareClusters(config, logger);
}

const usesNetworks = ({ baseRpcUrl, baseDevnetRpcUrl }: Config): boolean =>
  [baseRpcUrl, baseDevnetRpcUrl].some((urls) => urls.reveal().length > 0);

async function compareClusters(config: Config, logger: Logger): Promise<void> {
  try {
    const { logClusters } = await import('./verbs/doctor/cluster-findings.ts');
    await logClusters(config, logger);
  } catch (err) {
    logger.error({ err }, 'comparing the clusters with this build failed');
  }
}

const withoutSupervisor = (): ServiceError =>
  new ServiceError(
    'CONFIG_INVALID',
    'WORKERS above 1 need the supervisor: remove --no-supervisor, or set WORKERS to 1',
  );

/** Whether the stack has served before under the same supervisor. */
const isRestart = ({ start }: Host): boolean => start.hasServed;

/** Returns the start options. A restart keeps the data that the ledger has stored since the first start. */
function startOptionsOf(args: Arguments, mode: StackMode | null, host: Host): StartOptions {
  return {
    reset: args.reset && !isRestart(host),
    provision: isRestart(host) ? provisionOfRestart(args.provision) : args.provision,
    node: mode === null ? 'listening' : placeOf(mode),
    worker: host.start.worker,
    onServing: (places) => {
      host.reportReady(portsOf(places));
      // Over stdio, a slow reader blocks the process, which is not a fault.
      if (mode === null) host.beat();
    },
  };
}

/** The main module, which is next to this one in the sources and in the bundle. */
const MAIN = fileURLToPath(new URL(`main${extname(import.meta.url)}`, import.meta.url));

/** Announces the running stack. Without the banner, the log shows the exposure and the warnings. */
function announce(app: App, config: Config, how: 'banner' | 'json' | 'quiet', logger: Logger): void {
  const { ledgerUrl } = app;
  if (how === 'json') process.stdout.write(`${JSON.stringify(placesOf(app))}\n`);
  if (ledgerUrl !== null && how === 'banner')
    process.stdout.write(formatBanner(config, { ...app, ledgerUrl }, MAIN));
  else {
    if (ledgerUrl !== null) logger.info(placesOf(app), `ready; exposure: ${describeExposure(config)}`);
    for (const warning of app.warnings) logger.warn({}, warning);
  }
}

/** Returns the addresses in the format of `--port-file` and `--json`. */
function placesOf({ serviceUrl: service, ledgerUrl, rollupUrl: rollup, layout }: App): PortFile {
  return { service, base: ledgerUrl ?? '', rollup, layout: layout ?? 'b' };
}

function placeOf(mode: StackMode): NodePlace {
  if (mode.kind === 'clusters') return 'none';
  return mode.isListening ? 'listening' : 'portless';
}

/** Returns the ports by variable. Over stdio, there is no service port. */
function portsOf({ serviceUrl, ledgerUrl, rollupUrl }: Places): ListenPorts {
  const urls = { PORT: serviceUrl, LEDGER_RPC_PORT: ledgerUrl ?? '', ROLLUP_RPC_PORT: rollupUrl ?? '' };
  return Object.fromEntries(
    Object.entries(urls)
      .filter(([, url]) => URL.canParse(url))
      .map(([variable, url]) => [variable, Number(new URL(url).port)]),
  );
}

/** Returns a function that finishes the requests in flight and exits. Later calls do nothing. */
function createStop(app: App): () => void {
  let isStopping = false;
  return () => {
    if (isStopping) return;
    isStopping = true;
    app.close().then(() => process.exit(EXIT_CODES.done), die);
  };
}

/** Stops when the client closes the input, which is how a client ends a server that it launched. */
function stopAtEnd(input: NodeJS.ReadStream, stop: () => void): void {
  if (input.readableEnded || input.destroyed) stop();
  // An error of the socket is not a failure of the stack.
  for (const event of ['end', 'close']) input.once(event, () => stop());
}

/** The addresses of a running stack. */
export interface PortFile {
  readonly service: string;
  /** The ledger node. Its WebSocket is on the next port. */
  readonly base: string;
  /** The rollup node; null if there is none. */
  readonly rollup: string | null;
  /** Version of the programs of private payments. */
  readonly layout: 'a' | 'b';
}

/**
 * Writes the port file atomically, and deletes it when this process exits.
 *
 * @throws {ServiceError} CONFIG_INVALID if the file cannot be written.
 */
export async function keepPortFile(path: string, places: PortFile): Promise<void> {
  const beside = `${path}.${process.pid}`;
  try {
    await writeFile(beside, `${JSON.stringify(places)}\n`);
    await rename(beside, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ServiceError(
      'CONFIG_INVALID',
      `--port-file ${path} cannot be written (${code ?? 'unknown reason'}): choose another file`,
    );
  }
  process.once('exit', () => rmSync(path, { force: true }));
}
