import type { App, NodePlace, Places, StartOptions } from '../app.ts';
import type { Config } from '../config/config.ts';
import { describeExposure } from '../config/exposure.ts';
import { systemClock } from '../ports/clock.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withFields, type Logger } from '../ports/logger.ts';
import { createPinoLogger } from '../ports/pino-logger.ts';
import { systemRandom } from '../ports/random.ts';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import type { Host } from '../supervisor/host.ts';
import type { ListenPorts } from '../supervisor/messages.ts';
import type { Arguments } from './arguments.ts';
import { formatBanner } from './banner.ts';
import { die } from './fail.ts';
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
 * @throws {ServiceError} what readSettings, assertEngineLoads and startApp throw; CONFIG_INVALID for several
 *   workers without a supervisor.
 */
export async function runStack(args: Arguments, host: Host): Promise<void> {
  const { restarts, death, settings, worker } = host.start;
  const config = readSettings({ ...settings, ...process.env }, args, host.start.ports);
  const log = createPinoLogger(config.logLevel);
  const logger = worker === null ? log : withFields(log, { worker });
  if (death !== null) logger.warn({ death, restarts }, 'starting again');

  const mode = args.command === 'mcp' ? await chooseMode(args, config) : null;
  if (mode?.kind === 'bridge') {
    const { runBridge } = await import('./run-bridge.ts');
    return runBridge(mode.serviceUrl, config, { host, logger });
  }
  // Over stdio, stdout belongs to the protocol: nothing else is written to it.
  const stdio = mode && { input: process.stdin, output: process.stdout, ...tokenOf(config) };
  // Over stdio there is one client, and no port to share.
  if (config.workers > 1 && worker === null && stdio === null) throw withoutSupervisor();
  const options = { ...startOptionsOf(args, mode, host), ...(stdio && { stdio }) };
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
  if (host.stopping.aborted) return stop();
  host.stopping.addEventListener('abort', () => {
    logger.info({}, 'draining');
    stop();
  });
  if (stdio !== null) stopAtEnd(stdio.input, stop);
  // Of several processes the first one's: they are all at the same place.
  if (args.portFile !== null && (worker ?? 1) === 1) await keepPortFile(args.portFile, placesOf(app));
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

const withoutSupervisor = (): ServiceError =>
  new ServiceError(
    'CONFIG_INVALID',
    'WORKERS above 1 are processes of the supervisor: leave out --no-supervisor, or set WORKERS to 1',
  );

/** Whether the stack has served before, under the same supervisor. */
const isRestart = ({ start }: Host): boolean => start.hasServed;

/** What was acknowledged since the first start is neither thrown away nor overwritten by the next one. */
function startOptionsOf(args: Arguments, mode: StackMode | null, host: Host): StartOptions {
  return {
    reset: args.reset && !isRestart(host),
    provision: isRestart(host) ? provisionOfRestart(args.provision) : args.provision,
    node: mode === null ? 'listening' : placeOf(mode),
    worker: host.start.worker,
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

/** What ends the process, however often it is asked to: everything that was asked is answered first. */
function createStop(app: App): () => void {
  let isStopping = false;
  return () => {
    if (isStopping) return;
    isStopping = true;
    app.close().then(() => process.exit(EXIT_CODES.done), die);
  };
}

/** Stops once the client has closed the input, which is how it ends a server that it launched. */
function stopAtEnd(input: NodeJS.ReadStream, stop: () => void): void {
  if (input.readableEnded || input.destroyed) stop();
  // A socket tells with its 'close' whether it had an error, and that is no failure of the stack.
  for (const event of ['end', 'close']) input.once(event, () => stop());
}
