import { type Config, VARIABLES } from '../config/config.ts';
import type { Variable } from '../config/variable.ts';
import { ServiceError } from '../errors/service-error.ts';
import { SERVER_INFO } from '../service/server-info.ts';
import type { Arguments } from './arguments.ts';
import type { Environment } from './settings.ts';

/** The server that answers MCP over stdio. */
export type McpMode =
  /** Forwards every message to a running service. */
  | { readonly kind: 'bridge'; readonly serviceUrl: URL }
  /** Serves the configured clusters, without an embedded ledger. */
  | { readonly kind: 'clusters' }
  /** Serves an embedded ledger. It is temporary unless `isKept`, and listens on ports if `isListening`. */
  | { readonly kind: 'ledger'; readonly isKept: boolean; readonly isListening: boolean };

const FOLDER = VARIABLES.dataDir.name;
const PORTS = [VARIABLES.ledgerRpcPort.name, VARIABLES.rollupRpcPort.name];

/** Settings that a bridge uses. Any other setting prevents a bridge, unless `--url` names the service. */
const OF_THE_BRIDGE: ReadonlySet<string> = new Set([
  VARIABLES.port.name,
  VARIABLES.serviceToken.name,
  VARIABLES.logLevel.name,
]);

const OF_THE_SERVICE = Object.values<Variable<unknown>>(VARIABLES)
  .map(({ name }) => name)
  .filter((name) => !OF_THE_BRIDGE.has(name));

/**
 * Chooses the server for MCP over stdio. In order: the service that `--url` names; the configured clusters,
 * unless a ledger is also requested; if nothing is requested, the service at the default address; a ledger.
 *
 * @throws {ServiceError} CONFIG_INVALID for a setting that a named service cannot use.
 * @param env the variables, overridden by flags
 * @param isRunning whether the tool service answers at an address
 */
export async function chooseMcpMode(
  env: Environment,
  args: Arguments,
  config: Config,
  isRunning: (url: URL) => Promise<boolean> = isService,
): Promise<McpMode> {
  if (args.serviceUrl !== null) {
    refuseOfTheService(config);
    return { kind: 'bridge', serviceUrl: args.serviceUrl };
  }
  const isSet = (name: string): boolean => (env[name] ?? '').trim() !== '';
  const isListening = PORTS.some(isSet);
  const isKept = isSet(FOLDER);
  const needsLocalnet = config.localnetWallets || config.localnetPrograms !== null;
  const needsLedger = isKept || isListening || args.ledgerFlags.length > 0 || needsLocalnet;
  const choosesLocalnet = needsLedger || (isSet(VARIABLES.cluster.name) && config.cluster === 'localnet');
  if (!choosesLocalnet && config.cluster !== 'localnet') return { kind: 'clusters' };
  if (!choosesLocalnet && !OF_THE_SERVICE.some(isSet)) {
    const serviceUrl = new URL(`http://${VARIABLES.host.default}:${config.port}`);
    if (await isRunning(serviceUrl)) return { kind: 'bridge', serviceUrl };
  }
  return { kind: 'ledger', isKept, isListening };
}

function refuseOfTheService({ localnetPrograms, localnetWallets, tools, readOnly }: Config): void {
  const refused = [
    ...(localnetPrograms === null ? [] : [VARIABLES.localnetPrograms.name]),
    ...(localnetWallets ? [VARIABLES.localnetWallets.name] : []),
    ...(tools.length > 0 ? [VARIABLES.tools.name] : []),
    ...(readOnly ? [VARIABLES.readOnly.name] : []),
  ];
  if (refused.length === 0) return;
  throw new ServiceError(
    'CONFIG_INVALID',
    `${refused.join(', ')} cannot be used with mcp --url: set this when you start the service instead`,
  );
}

/** Returns the user's bearer token as an option; empty if there is none. */
export function tokenOf({ authToken }: Pick<Config, 'authToken'>): { readonly token?: string } {
  return authToken === null ? {} : { token: authToken.reveal() };
}

/** Timeout for a local service, in ms. */
const ANSWER_MS_MAX = 1_000;

/** Whether the MCP endpoint at an address belongs to this tool service. */
export async function isService(url: URL): Promise<boolean> {
  try {
    const response = await fetch(new URL('/.well-known/mcp.json', url), {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const said = (await response.json()) as { name?: unknown } | null;
    return response.ok && said?.name === SERVER_INFO.name;
  } catch {
    return false;
  }
}
