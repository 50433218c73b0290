import { CLUSTER_VARIABLES } from './cluster-variables.ts';
import { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_DEFAULT } from './exposure.ts';
import { LEDGER_VARIABLES } from './ledger-variables.ts';
import {
  parseBase58,
  parseChoice,
  parseHostName,
  parseInteger,
  parseList,
  parseNetwork,
  parseOptional,
  parseOrigin,
  parseSecret,
  parseSecretFile,
  parseSol,
  parseSwitch,
  parseText,
  type Variable,
} from './variable.ts';

/** Log levels, from most to least talkative. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/**
 * Every setting, with the words that document it. The order is that of `.env.example`, which a test compares
 * with this table.
 */
export const VARIABLES = {
  host: {
    name: 'HOST',
    default: '127.0.0.1',
    description: 'Address all listeners bind to. 0.0.0.0 opens them to the network.',
    parse: parseHostName,
  },
  exposure: {
    name: 'EXPOSURE',
    default: '',
    description:
      'Who reaches the listeners while HOST is a loopback address: machine (this machine alone) or proxy (others too, through a proxy on it). Cheats, metrics, console, and the limits of requests and of the faucet follow from it where they are not set. Default: proxy if PUBLIC_URL, TRUSTED_PROXIES or ALLOWED_HOSTS is set, else machine. With any other HOST it is the network, and this must be unset.',
    parse: parseOptional(parseChoice(['machine', 'proxy'] as const)),
  },
  port: {
    name: 'PORT',
    default: '8787',
    description: 'Port of the tool service (MCP). 0 takes a free one.',
    parse: parseInteger(0, 65_535),
  },
  workers: {
    name: 'WORKERS',
    default: '1',
    description:
      'Processes that serve a real cluster (LEDGER_UPSTREAM_URL) and share its ports, one for each core it may use. An embedded ledger is always one process, and so is a service over stdio.',
    parse: parseInteger(1, 64),
  },
  ledgerRpcPort: {
    name: 'LEDGER_RPC_PORT',
    default: '8899',
    description:
      'Port of the ledger node (JSON-RPC). The port after it is its WebSocket. 0 takes a free one.',
    parse: parseInteger(0, 65_534),
  },
  dataDir: {
    name: 'DATA_DIR',
    default: './ledger-data',
    description:
      'Folder that keeps the ledger, and what the processes of a service share. It is made when missing.',
    parse: parseText,
  },
  ...CLUSTER_VARIABLES,
  tools: {
    name: 'TOOLS',
    default: '',
    description:
      'Operations that MCP and REST offer, separated by commas, with or without spl. (deposit, spl.getBalance, login). Default: all.',
    parse: parseList(parseText),
  },
  readOnly: {
    name: 'READ_ONLY',
    default: 'off',
    description:
      'Whether operations that send transactions are left out of MCP and REST, so that the service only builds and reads: on (or 1) or off (or 0).',
    parse: parseSwitch,
  },
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
  gaslessSolPerHour: {
    name: 'GASLESS_SOL_PER_HOUR',
    default: '1',
    description:
      'SOL that this wallet may spend on gasless transfers in an hour. The most that one can cost is held until the ledger tells whether it landed. All processes of a machine share it, and restarts do not begin it anew.',
    parse: parseSol,
  },
  gaslessMints: {
    name: 'GASLESS_MINTS',
    default: '',
    description:
      'Mints that gasless transfers may be of on a custom network, separated by commas: their fee of 200000 base units is in them. Default: none. The other networks have their stablecoins.',
    parse: parseList(parseBase58),
  },
  authToken: {
    name: 'AUTH_TOKEN',
    default: '',
    description:
      'Bearer token of your login to a rollup, for private reads over stdio (the mcp command), which has no header to bring it.',
    isSecret: true,
    parse: parseOptional(parseSecret(parseText)),
  },
  authTokenFile: {
    name: 'AUTH_TOKEN_FILE',
    default: '',
    description: 'File that holds that token instead. It is refused when others than its owner may open it.',
    parse: parseOptional(parseSecretFile),
  },
  rateLimitPerSecond: {
    name: 'RATE_LIMIT_PER_SECOND',
    default: '',
    description:
      'Requests per second that the tool service, the ledger node and the rollup each take from one client address in the long run. 0 sets no limit. Default: none for this machine alone (EXPOSURE), else 50.',
    parse: parseOptional(parseInteger(0, 1_000_000)),
  },
  rateLimitBurst: {
    name: 'RATE_LIMIT_BURST',
    default: '100',
    description: 'Requests each of them takes from one client address at once.',
    parse: parseInteger(1, 1_000_000),
  },
  connectionsPerAddress: {
    name: 'CONNECTIONS_PER_ADDRESS',
    default: '',
    description: `Connections that each port takes from one client address, of ${CONNECTIONS_MAX} in all. Default: ${CONNECTIONS_PER_ADDRESS_DEFAULT}, or all of them behind a proxy (EXPOSURE), which opens them all.`,
    parse: parseOptional(parseInteger(1, CONNECTIONS_MAX)),
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    default: '',
    description:
      'Addresses and networks (10.0.0.0/8) of proxies, separated by commas. Requests from them count for the client that their X-Forwarded-For or Forwarded names.',
    parse: parseList(parseNetwork),
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
      'Origins of web pages that may call the tool service and the surfnet_ methods besides those on localhost, separated by commas (https://app.example).',
    parse: parseList(parseOrigin),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    default: '',
    description:
      'Origin under which others reach the tool service, used in its discovery documents. Default: the Host of each request.',
    parse: parseOptional(parseOrigin),
  },
  ...LEDGER_VARIABLES,
  metrics: {
    name: 'METRICS',
    default: '',
    description:
      'Whether the listeners answer GET /metrics with figures for Prometheus: on or off. Default: on for this machine alone (EXPOSURE).',
    parse: parseOptional(parseSwitch),
  },
  console: {
    name: 'CONSOLE',
    default: '',
    description:
      'Whether the tool service has the console, a web page, at / and /console: on or off. Default: on for this machine alone (EXPOSURE).',
    parse: parseOptional(parseSwitch),
  },
  consoleLogArguments: {
    name: 'CONSOLE_LOG_ARGUMENTS',
    default: 'off',
    description:
      'Whether the console lists every request with its arguments, private payments and reads among them: on, for this machine alone (EXPOSURE), or off.',
    parse: parseSwitch,
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
export type Settings = { readonly [Key in keyof Variables]: ReturnType<Variables[Key]['parse']> };
