import { type Config, VARIABLES } from '../config/config.ts';
import type { Variable } from '../config/variable.ts';
import { ServiceError } from '../errors/service-error.ts';
import { SERVER_INFO } from '../service/server-info.ts';
import type { Arguments } from './arguments.ts';
import type { Environment } from './settings.ts';

/** The server of MCP over stdio. */
export type McpMode =
  /** A running service, to which every message is forwarded. */
  | { readonly kind: 'bridge'; readonly serviceUrl: URL }
  /** The configured clusters, without an embedded ledger. */
  | { readonly kind: 'clusters' }
  /** An embedded ledger: temporary unless `isKept`, and listening on ports only if `isListening`. */
  | { readonly kind: 'ledger'; readonly isKept: boolean; readonly isListening: boolean };

const FOLDER = VARIABLES.dataDir.name;
const PORTS = [VARIABLES.ledgerRpcPort.name, VARIABLES.rollupRpcPort.name];

/** Settings that a bridge uses. If any other is set, only a service named by `--url` is used. */
const OF_THE_BRIDGE: ReadonlySet<string> = new Set([VARIABLES.port.name, VARIABLES.logLevel.name]);

const OF_THE_SERVICE = Object.values<Variable<unknown>>(VARIABLES)
  .map(({ name }) => name)
  .filter((name) => !OF_THE_BRIDGE.has(name));

/**
 * Chooses what serves MCP over stdio: the service that `--url` names; the configured clusters, unless a
 * ledger is requested too; if nothing is requested, the service at the default address; otherwise a ledger.
 *
 * @throws {ServiceError} CONFIG_INVALID for a setting that a named service cannot take.
 * @param env the variables with the flags over them
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
    `${refused.join(', ')} cannot be used with mcp --url: set it where the service is started`,
  );
}

/** The user's bearer token as an option; empty without one. */
export function tokenOf({ authToken }: Pick<Config, 'authToken'>): { readonly token?: string } {
  return authToken === null ? {} : { token: authToken.reveal() };
}

/** How long a local service may take to answer, ms. */
const ANSWER_MS_MAX = 1_000;

/** Whether the tool service answers at an address, according to its MCP endpoint. */
export async function isService(url: URL): Promise<boolean> {
  try {
    const response = await fetch(new URL('/mcp', url), {
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
