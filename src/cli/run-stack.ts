import type { App, NodePlace, Places, StartOptions } from '../app.ts';
import type { Config } from '../config/config.ts';
import { describeExposure } from '../config/exposure.ts';
import { systemClock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { createPinoLogger } from '../ports/pino-logger.ts';
import { systemRandom } from '../ports/random.ts';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import type { Host } from '../supervisor/host.ts';
import type { ListenPorts } from '../supervisor/messages.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import type { Arguments } from './arguments.ts';
import { formatBanner } from './banner.ts';
import { die, fail } from './fail.ts';
import { provisionOfRestart } from './provision-flags.ts';
import { tokenOf } from './auth-token.ts';
import { keepPortFile, type PortFile } from './port-file.ts';
import { chooseMcpMode, type McpMode } from './mcp-mode.ts';
import { applyFlags, readSettings } from './settings.ts';

/** MCP over stdio, served by this process. */
type StackMode = Exclude<McpMode, { kind: 'bridge' }>;

/**
 * Runs the whole stack in this process, which it ends once it is told to stop or, over stdio, once the client
 * has closed its end.
 *
 * @throws {ServiceError} what readSettings, assertEngineLoads and startApp throw. WorkerFailure where a
 *   worker cannot be had.
 */
export async function runStack(args: Arguments, host: Host): Promise<void> {
  const { restarts, death, settings } = host.start;
  // Workers have the environment of this process.
  Object.assign(process.env, { ...settings, ...process.env });
  const config = readSettings(process.env, args, host.start.ports);
  const logger = createPinoLogger(config.logLevel);
  if (death !== null) logger.warn({ death, restarts }, 'starting again');

  const mode = args.command === 'mcp' ? await chooseMode(args, config) : null;
  if (mode?.kind === 'bridge') {
    const { runBridge } = await import('./run-bridge.ts');
    return runBridge(mode.serviceUrl, config, { host, logger });
  }
  // Over stdio, stdout belongs to the protocol: nothing else is written to it.
  const stdio = mode && { input: process.stdin, output: process.stdout, ...tokenOf(config) };
  // Over stdio there is one client, and no port to share.
  const pool = config.workers > 1 && stdio === null ? await openPool(config, logger) : undefined;
  const options = { ...startOptionsOf(args, mode, host), ...(stdio && { stdio }), ...(pool && { pool }) };
  // Settings that do not work are told without loading the stack, which takes most of the time of a start.
  if (options.node !== 'none') await (await import('../stack/native-engine.ts')).assertEngineLoads();
  const { startApp } = await import('../app.ts');
  const isThrownAway = args.temp || (mode?.kind === 'ledger' && !mode.isKept);
  const dataDir = isThrownAway ? host.start.scratchFolder : config.dataDir;
  const ports = { clock: systemClock, random: systemRandom, logger };
  // The ledger of a restart has its programs, whatever has become of the place that they were taken from.
  const localnetPrograms = isRestart(host) ? null : config.localnetPrograms;
  const app = await startApp({ ...config, dataDir, localnetPrograms }, ports, options);

  const stop = createStop(app);
  pool?.failure.catch(stop);
  if (host.stopping.aborted) return stop();
  host.stopping.addEventListener('abort', () => {
    logger.info({}, 'draining');
    stop();
  });
  if (stdio !== null) stopAtEnd(stdio.input, stop);
  if (args.portFile !== null) await keepPortFile(args.portFile, placesOf(app));
  const isQuiet = stdio !== null || args.quiet || args.log || isRestart(host);
  announce(app, config, args.json && !isQuiet ? 'json' : isQuiet ? 'quiet' : 'banner', logger);
  // A client over stdio comes and goes, and a restart of the stack changes nothing about the clusters.
  if (stdio === null && !isRestart(host) && usesNetworks(config)) void compareClusters(config, logger);
}

const usesNetworks = ({ baseRpcUrl, baseDevnetRpcUrl }: Config): boolean =>
  [baseRpcUrl, baseDevnetRpcUrl].some((urls) => urls.reveal().length > 0);

async function compareClusters(config: Config, logger: Logger): Promise<void> {
  try {
    const { logClusters } = await import('./log-clusters.ts');
    await logClusters(config, logger);
  } catch (err) {
    logger.error({ err }, 'the clusters could not be compared with this build');
  }
}

/** Workers are loaded where there are some. */
async function openPool(config: Config, logger: Logger): Promise<WorkerPool> {
  const { startWorkers } = await import('./start-workers.ts');
  return await startWorkers(config, logger);
}

/** Whether the stack has served before, under the same supervisor. */
function isRestart(host: Host): boolean {
  return host.start.ports !== null;
}

/** What was acknowledged since the first start is neither thrown away nor overwritten by the next one. */
function startOptionsOf(args: Arguments, mode: StackMode | null, host: Host): StartOptions {
  return {
    reset: args.reset && !isRestart(host),
    provision: isRestart(host) ? provisionOfRestart(args.provision) : args.provision,
    node: mode === null ? 'listening' : placeOf(mode),
    onServing: (places) => {
      host.reportReady(portsOf(places));
      // A client that reads nothing for a while holds up who writes to it over stdio, and that is no fault.
      if (mode === null) host.beat();
    },
  };
}

/** Nothing that the operator should know is lost with the banner. */
function announce(app: App, config: Config, how: 'banner' | 'json' | 'quiet', logger: Logger): void {
  const { ledgerUrl } = app;
  if (how === 'json') process.stdout.write(`${JSON.stringify(placesOf(app))}\n`);
  if (ledgerUrl !== null && how === 'banner')
    process.stdout.write(formatBanner(config, { ...app, ledgerUrl }));
  else {
    if (ledgerUrl !== null) logger.info({}, `exposure: ${describeExposure(config)}`);
    for (const warning of app.warnings) logger.warn({}, warning);
  }
}

/** Where everything listens, as `--port-file` and `--json` tell it. */
function placesOf({ serviceUrl: service, ledgerUrl, rollupUrl: rollup, layout }: App): PortFile {
  return { service, base: ledgerUrl ?? '', rollup, layout: layout ?? 'b' };
}

/** What stands behind MCP over stdio. */
async function chooseMode(args: Arguments, config: Config): Promise<McpMode> {
  const { isService } = await import('./find-service.ts');
  return await chooseMcpMode(applyFlags(process.env, args, null), args, config, isService);
}

function placeOf(mode: StackMode): NodePlace {
  if (mode.kind === 'clusters') return 'none';
  return mode.isListening ? 'listening' : 'portless';
}

/** Where the stack listens, by variable; over stdio there is no service port. */
function portsOf({ serviceUrl, ledgerUrl, rollupUrl }: Places): ListenPorts {
  const urls = { PORT: serviceUrl, LEDGER_RPC_PORT: ledgerUrl ?? '', ROLLUP_RPC_PORT: rollupUrl ?? '' };
  return Object.fromEntries(
    Object.entries(urls)
      .filter(([, url]) => URL.canParse(url))
      .map(([variable, url]) => [variable, Number(new URL(url).port)]),
  );
}

/**
 * What ends the process, however often it is asked to: everything that was asked is answered first. A failure
 * is why it cannot go on.
 */
function createStop(app: App): (failure?: unknown) => void {
  let isStopping = false;
  return (failure) => {
    if (isStopping) return;
    isStopping = true;
    app.close().then(() => (failure === undefined ? process.exit(EXIT_CODES.done) : fail(failure)), die);
  };
}

/** Stops once the client has closed the input, which is how it ends a server that it launched. */
function stopAtEnd(input: NodeJS.ReadStream, stop: () => void): void {
  if (input.readableEnded || input.destroyed) stop();
  // A socket tells with its 'close' whether it had an error, and that is no failure of the stack.
  for (const event of ['end', 'close']) input.once(event, () => stop());
}
