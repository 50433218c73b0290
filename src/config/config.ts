import { ServiceError } from '../errors/service-error.ts';
import {
  parseChoice,
  parseHostName,
  parseInteger,
  parseList,
  parseOrigin,
  parseText,
  parseUrlOrigin,
  type Variable,
} from './variable.ts';

/** The clusters this service can work on. */
export const CLUSTER_NAMES = ['localnet'] as const;

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
  cluster: {
    name: 'CLUSTER',
    default: 'localnet',
    description: 'The cluster requests mean that name none: localnet, the embedded ledger.',
    parse: parseChoice(CLUSTER_NAMES),
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
    parse: parseUrlOrigin,
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

/** The settings the process runs with. */
export type Config = { readonly [Key in keyof Variables]: ReturnType<Variables[Key]['parse']> };

/**
 * Reads the settings from environment variables. Unset and blank ones take their default.
 *
 * @throws {ServiceError} CONFIG_INVALID with one line per fault, each naming the variable and the mend.
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
      faults.push(`${variable.name} ${error.message} (it is ${JSON.stringify(given)})`);
    }
  }
  if (faults.length === 0) faults.push(...portFaults(settings as Config));
  if (faults.length > 0) throw new ServiceError('CONFIG_INVALID', faults.join('\n'));
  return settings as Config;
}

function portFaults({ port, ledgerRpcPort }: Config): string[] {
  if (port === 0 || ledgerRpcPort === 0) return [];
  if (port !== ledgerRpcPort && port !== ledgerRpcPort + 1) return [];
  return [
    `PORT ${port} collides with LEDGER_RPC_PORT ${ledgerRpcPort}, which takes that port and the next one: choose another`,
  ];
}
