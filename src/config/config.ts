import { ServiceError } from '../errors/service-error.ts';
import { CLUSTER_NAMES, CLUSTER_VARIABLES, RPC_URL_KEYS } from './cluster-variables.ts';
import type { Secret } from './secret.ts';
import {
  parseChoice,
  parseHostName,
  parseInteger,
  parseList,
  parseOptional,
  parseOrigin,
  parseSecret,
  parseSecretFile,
  parseText,
  type Variable,
} from './variable.ts';

export { CLUSTER_NAMES } from './cluster-variables.ts';

/** Log levels, from most to least talkative. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/**
 * Every setting, with the words that document it. The order is that of `.env.example`, which a test compares with this
 * table.
 */
export const VARIABLES = {
  host: {
    name: 'HOST',
    default: '127.0.0.1',
    description: 'Address both listeners bind to. 0.0.0.0 opens them to the network.',
    parse: parseHostName,
  },
  port: {
    name: 'PORT',
    default: '8787',
    description: 'Port of the tool service (MCP). 0 takes a free one.',
    parse: parseInteger(0, 65_535),
  },
  ledgerRpcPort: {
    name: 'LEDGER_RPC_PORT',
    default: '8899',
    description:
      'Port of the ledger node (JSON-RPC). The port after it is kept for WebSocket. 0 takes a free one.',
    parse: parseInteger(0, 65_534),
  },
  dataDir: {
    name: 'DATA_DIR',
    default: './ledger-data',
    description: 'Folder that keeps the ledger. It is made when missing.',
    parse: parseText,
  },
  ...CLUSTER_VARIABLES,
  gaslessSponsorSecretKey: {
    name: 'GASLESS_SPONSOR_SECRET_KEY',
    default: '',
    description:
      'Secret key of the wallet that pays for gasless transfers: a JSON array of 64 bytes, as the Solana CLI writes it. Without it there are none.',
    isSecret: true,
    parse: parseOptional(parseSecret(parseText)),
  },
  gaslessSponsorSecretKeyFile: {
    name: 'GASLESS_SPONSOR_SECRET_KEY_FILE',
    default: '',
    description: 'File that holds that key instead. It is refused when others than its owner may open it.',
    parse: parseOptional(parseSecretFile),
  },
  rateLimitPerSecond: {
    name: 'RATE_LIMIT_PER_SECOND',
    default: '',
    description:
      'Requests per second the tool service takes from one client address in the long run. 0 sets no limit. Default: none while HOST is a loopback address, else 50.',
    parse: parseOptional(parseInteger(0, 1_000_000)),
  },
  rateLimitBurst: {
    name: 'RATE_LIMIT_BURST',
    default: '100',
    description: 'Requests it takes from one client address at once.',
    parse: parseInteger(1, 1_000_000),
  },
  allowedHosts: {
    name: 'ALLOWED_HOSTS',
    default: '',
    description: 'Host names the listeners answer to besides localhost, separated by commas, without port.',
    parse: parseList(parseHostName),
  },
  allowedOrigins: {
    name: 'ALLOWED_ORIGINS',
    default: '',
    description:
      'Origins of web pages that may call the tool service besides those on localhost, separated by commas (https://app.example).',
    parse: parseList(parseOrigin),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    default: '',
    description:
      'Origin under which others reach the tool service, used in its discovery documents. Default: the Host of each request.',
    parse: parseOptional(parseOrigin),
  },
  ledgerRequestBytesMax: {
    name: 'LEDGER_REQUEST_BYTES_MAX',
    default: '51200',
    description: 'Largest request body the ledger node reads, bytes.',
    parse: parseInteger(1_024, 64 * 1024 * 1024),
  },
  faucetSol: {
    name: 'FAUCET_SOL',
    default: '500000000',
    description: 'SOL the faucet of a new ledger holds.',
    parse: parseInteger(1, 10_000_000_000),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    description: `Least important log lines to write: ${LOG_LEVELS.join(', ')}.`,
    parse: parseChoice(LOG_LEVELS),
  },
} as const satisfies Record<string, Variable<unknown>>;

type Variables = typeof VARIABLES;

/** What each variable gives by itself. */
type Settings = { readonly [Key in keyof Variables]: ReturnType<Variables[Key]['parse']> };

/** The settings the process runs with. */
export interface Config extends Omit<Settings, 'cluster' | 'gaslessSponsorSecretKeyFile'> {
  /** The cluster requests mean that name none. */
  readonly cluster: (typeof CLUSTER_NAMES)[number];
  /** From the variable or from the file; null for none. */
  readonly gaslessSponsorSecretKey: Secret<string> | null;
}

/**
 * Reads the settings from environment variables, and the sponsor's key from its file. Unset and blank ones take their
 * default.
 *
 * @throws {ServiceError} CONFIG_INVALID with one line per fault, each naming the variable and the mend, none of them
 *   repeating a secret.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const given = env[variable.name]?.trim();
    try {
      settings[key] = variable.parse(given === undefined || given === '' ? variable.default : given);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const shown = variable.isSecret === true ? '' : ` (it is ${JSON.stringify(given)})`;
      faults.push(`${variable.name} ${error.message}${shown}`);
    }
  }
  if (faults.length > 0) throw new ServiceError('CONFIG_INVALID', faults.join('\n'));
  return settle(settings as Settings);
}

/** Decides what several variables decide together. */
function settle({ gaslessSponsorSecretKeyFile, ...settings }: Settings): Config {
  const { gaslessSponsorSecretKey } = settings;
  const cluster = settings.cluster ?? defaultCluster(settings);
  const faults = portFaults(settings);
  if (cluster === null) {
    faults.push(
      `CLUSTER must be set: without BASE_RPC_URL the choice between ${CLUSTER_NAMES.join(', ')} is not clear`,
    );
  }
  if (gaslessSponsorSecretKey !== null && gaslessSponsorSecretKeyFile !== null) {
    faults.push('GASLESS_SPONSOR_SECRET_KEY and GASLESS_SPONSOR_SECRET_KEY_FILE are both set: keep one');
  }
  if (cluster === null || faults.length > 0) throw new ServiceError('CONFIG_INVALID', faults.join('\n'));
  return {
    ...settings,
    cluster,
    gaslessSponsorSecretKey: gaslessSponsorSecretKey ?? gaslessSponsorSecretKeyFile,
  };
}

/**
 * The cluster when `CLUSTER` is not set: mainnet as in the hosted Private Payments API, which cannot do without its URL;
 * localnet where there is no URL at all; null where it would be a guess.
 */
function defaultCluster(settings: Pick<Settings, (typeof RPC_URL_KEYS)[number]>): Config['cluster'] | null {
  if (settings.baseRpcUrl.reveal().length > 0) return 'mainnet';
  return RPC_URL_KEYS.every((key) => settings[key].reveal().length === 0) ? 'localnet' : null;
}

function portFaults({ port, ledgerRpcPort }: Pick<Config, 'port' | 'ledgerRpcPort'>): string[] {
  if (port === 0 || ledgerRpcPort === 0) return [];
  if (port !== ledgerRpcPort && port !== ledgerRpcPort + 1) return [];
  return [
    `PORT ${port} collides with LEDGER_RPC_PORT ${ledgerRpcPort}, which takes that port and the next one: choose another`,
  ];
}
