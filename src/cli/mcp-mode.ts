import { VARIABLES, type Config } from '../config/config.ts';
import type { Variable } from '../config/variable.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Arguments } from './arguments.ts';
import type { Environment } from './settings.ts';

/** What stands behind MCP over stdio. */
export type McpMode =
  /** A service that runs already: every message is handed to it. */
  | { readonly kind: 'bridge'; readonly serviceUrl: URL }
  /** The clusters that are configured, without a ledger of its own. */
  | { readonly kind: 'clusters' }
  /**
   * A ledger of its own: one that is thrown away at the end unless a folder was named, with the ports that
   * were named.
   */
  | { readonly kind: 'ledger'; readonly isKept: boolean; readonly isListening: boolean };

/** Settings that say where the ledger is kept, and those that open ports; any of them asks for a ledger. */
const FOLDER = VARIABLES.dataDir.name;
const PORTS = [VARIABLES.ledgerRpcPort.name, VARIABLES.rollupRpcPort.name];

/**
 * Settings that a bridge goes by. With any other nothing is handed to a service that nobody named and that
 * may have others.
 */
const OF_THE_BRIDGE: ReadonlySet<string> = new Set([VARIABLES.port.name, VARIABLES.logLevel.name]);

const OF_THE_SERVICE = Object.values<Variable<unknown>>(VARIABLES)
  .map(({ name }) => name)
  .filter((name) => !OF_THE_BRIDGE.has(name));

/**
 * Decides what stands behind MCP over stdio, by what was asked for: the service that `--url` names; the
 * clusters that are configured, unless the ledger is asked for as well; where nothing at all was asked for
 * the service that answers at the default address; else a ledger.
 *
 * @throws {ServiceError} CONFIG_INVALID for a setting that a service that is named cannot take.
 * @param env the variables with the flags over them
 * @param isService whether the tool service answers at an address
 */
export async function chooseMcpMode(
  env: Environment,
  args: Arguments,
  config: Config,
  isService: (url: URL) => Promise<boolean>,
): Promise<McpMode> {
  if (args.serviceUrl !== null) {
    refuseOfTheService(config);
    return { kind: 'bridge', serviceUrl: args.serviceUrl };
  }
  const isSet = (name: string): boolean => (env[name] ?? '').trim() !== '';
  const isListening = PORTS.some(isSet);
  const isKept = isSet(FOLDER);
  const isGiven = config.localnetWallets || config.localnetPrograms !== null;
  const asksForLedger = isKept || isListening || args.ledgerFlags.length > 0 || isGiven;
  const asksForLocalnet = asksForLedger || (isSet(VARIABLES.cluster.name) && config.cluster === 'localnet');
  if (!asksForLocalnet && config.cluster !== 'localnet') return { kind: 'clusters' };
  if (!asksForLocalnet && !OF_THE_SERVICE.some(isSet)) {
    const serviceUrl = new URL(`http://${VARIABLES.host.default}:${config.port}`);
    if (await isService(serviceUrl)) return { kind: 'bridge', serviceUrl };
  }
  return { kind: 'ledger', isKept, isListening };
}

/** What only the service itself can decide must not seem to be decided here. */
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
    `${refused.join(', ')} cannot be had with mcp --url: it is decided where the service is started`,
  );
}
