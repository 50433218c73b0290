import { CLUSTER_VARIABLES } from './cluster-variables.ts';
import { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_DEFAULT } from './exposure.ts';
import { LEDGER_VARIABLES } from './ledger-variables.ts';
import {
  parseBase58,
  parseChoice,
  parseHostName,
  parseHttpUrl,
  parseInteger,
  parseIssuer,
  parseList,
  parseLongText,
  parseNetwork,
  parseOptional,
  parseOrigin,
  parseSecret,
  parseSecretFile,
  parseSol,
  parseSwitch,
  parseText,
  parseTextFile,
  parseUrlOf,
  type Variable,
} from './variable.ts';

/** Log levels, from most to least verbose. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting, in the order of `.env.example`, which a test compares with this table. */
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
      'Who can reach the listeners if HOST is a loopback address: machine (only this machine) or proxy (others too, through a proxy on this machine). The defaults for cheats, metrics, console, rate limit and faucet limit depend on it. Default: proxy if PUBLIC_URL, TRUSTED_PROXIES or ALLOWED_HOSTS is set, else machine. With any other HOST the exposure is network, and EXPOSURE must be unset.',
    parse: parseOptional(parseChoice(['machine', 'proxy'] as const)),
  },
  port: {
    name: 'PORT',
    default: '8787',
    description: 'Port of the tool service (MCP). 0 picks a free one.',
    parse: parseInteger(0, 65_535),
  },
  workers: {
    name: 'WORKERS',
    default: '1',
    description:
      'Number of processes that serve a real cluster (LEDGER_UPSTREAM_URL) on the same ports, 1 to 64; use at most one per core. An embedded ledger is always one process, and so is a service over stdio.',
    parse: parseInteger(1, 64),
  },
  ledgerRpcPort: {
    name: 'LEDGER_RPC_PORT',
    default: '8899',
    description: 'Port of the ledger node (JSON-RPC). The next port is its WebSocket. 0 picks a free one.',
    parse: parseInteger(0, 65_534),
  },
  dataDir: {
    name: 'DATA_DIR',
    default: './ledger-data',
    description:
      'Folder of the ledger and of the data that the processes of a service share. Created if missing.',
    parse: parseText,
  },
  stateUrl: {
    name: 'STATE_URL',
    default: '',
    description:
      'PostgreSQL database (postgres://user:password@host/database) for data that the replicas of a service share: idempotency keys, logins, API keys, x402 payments and the budgets of both payers. Default: a file in DATA_DIR, which the processes of one machine share.',
    isSecret: true,
    parse: parseOptional(parseSecret(parseUrlOf('postgres', 'postgresql'))),
  },
  limitsUrl: {
    name: 'LIMITS_URL',
    default: '',
    description:
      'Redis or Valkey server (redis://host:6379) for rate limits of the tool service that all replicas share. While it does not respond, each replica enforces its share of the limits. Default: each process has its own limits.',
    isSecret: true,
    parse: parseOptional(parseSecret(parseUrlOf('redis', 'rediss'))),
  },
  ...CLUSTER_VARIABLES,
  tools: {
    name: 'TOOLS',
    default: '',
    description:
      'Operations that MCP and REST offer, separated by commas, with or without the prefix spl. (deposit, spl.getBalance, login). Default: all.',
    parse: parseList(parseText),
  },
  readOnly: {
    name: 'READ_ONLY',
    default: 'off',
    description:
      'Whether MCP and REST omit operations that send transactions, so that the service only builds and reads: on (or 1) or off (or 0).',
    parse: parseSwitch,
  },
  gaslessSponsorSecretKey: {
    name: 'GASLESS_SPONSOR_SECRET_KEY',
    default: '',
    description:
      'Secret key of the wallet that pays for gasless transfers: a JSON array of 64 bytes, as the Solana CLI writes it. Without it, gasless transfers are unavailable.',
    isSecret: true,
    parse: parseOptional(parseSecret(parseText)),
  },
  gaslessSponsorSecretKeyFile: {
    name: 'GASLESS_SPONSOR_SECRET_KEY_FILE',
    default: '',
    description: "File that contains the sponsor's key. Rejected if other users can open it.",
    parse: parseOptional(parseSecretFile),
  },
  gaslessSolPerHour: {
    name: 'GASLESS_SOL_PER_HOUR',
    default: '1',
    description:
      'SOL that the sponsor may spend on gasless transfers per hour. The maximum cost of a transfer counts from the moment it is signed, unless it expires without landing. One client can spend up to half. All processes of a machine share the budget, and restarts do not reset it.',
    parse: parseSol,
  },
  gaslessMints: {
    name: 'GASLESS_MINTS',
    default: '',
    description:
      'Mints that support gasless transfers on a custom network, separated by commas. The fee is 200000 base units of the mint. Default: none. The other networks support their stablecoins.',
    parse: parseList(parseBase58),
  },
  swapUpstreamUrl: {
    name: 'SWAP_UPSTREAM_URL',
    default: '',
    description:
      'Jupiter-compatible API for swaps on mainnet: the URL before /quote and /swap. It may contain a key and is never shown. Without it, swaps work only on localnet, where a test desk trades at fixed prices.',
    isSecret: true,
    parse: parseOptional(parseSecret(parseHttpUrl)),
  },
  facilitatorSecretKey: {
    name: 'FACILITATOR_SECRET_KEY',
    default: '',
    description:
      'Secret key of the wallet that pays the fees of x402 payments: a JSON array of 64 bytes, as the Solana CLI writes it. Without it, the paths /x402 do not exist.',
    isSecret: true,
    parse: parseOptional(parseSecret(parseText)),
  },
  facilitatorSecretKeyFile: {
    name: 'FACILITATOR_SECRET_KEY_FILE',
    default: '',
    description: "File that contains the facilitator's key. Rejected if other users can open it.",
    parse: parseOptional(parseSecretFile),
  },
  facilitatorSolPerHour: {
    name: 'FACILITATOR_SOL_PER_HOUR',
    default: '1',
    description:
      'SOL that the facilitator may spend on x402 payments per hour. The maximum cost of a payment counts from the moment it is signed, unless it expires without landing. One payer can spend up to half.',
    parse: parseSol,
  },
  prices: {
    name: 'PRICES',
    default: '',
    description:
      'JSON file with the prices of tools by name, each with amount (base units), mint and payTo, and optionally network and settlement. Their calls over MCP and REST are then paid with x402 or MPP and settled by the facilitator, which needs its key. Default: all calls are free.',
    parse: parseOptional(parseTextFile),
  },
  checkoutSecret: {
    name: 'CHECKOUT_SECRET',
    default: '',
    description:
      'At least 32 random characters from which order tokens and webhook secrets are derived. If it is set, merchants can register, create orders and get paid on a rollup. Otherwise, the paths of the merchant API do not exist.',
    isSecret: true,
    parse: parseOptional(parseSecret(parseLongText)),
  },
  checkoutSecretFile: {
    name: 'CHECKOUT_SECRET_FILE',
    default: '',
    description: 'File that contains CHECKOUT_SECRET. Rejected if other users can open it.',
    parse: parseOptional(parseSecretFile),
  },
  checkoutMerchants: {
    name: 'CHECKOUT_MERCHANTS',
    default: '',
    description: 'Wallets that may register as merchants, separated by commas. Default: all.',
    parse: parseList(parseBase58),
  },
  checkoutMints: {
    name: 'CHECKOUT_MINTS',
    default: '',
    description: "Mints that orders may use in addition to each cluster's USDC, separated by commas.",
    parse: parseList(parseBase58),
  },
  webhookOrigins: {
    name: 'WEBHOOK_ORIGINS',
    default: '',
    description:
      'Origins to which events for merchants may be sent, separated by commas (https://shop.example.com). Default: none.',
    parse: parseList(parseOrigin),
  },
  authToken: {
    name: 'AUTH_TOKEN',
    default: '',
    description:
      'Bearer token of your login to a rollup, for private reads over stdio (the mcp command), which has no headers.',
    isSecret: true,
    parse: parseOptional(parseSecret(parseText)),
  },
  authTokenFile: {
    name: 'AUTH_TOKEN_FILE',
    default: '',
    description: 'File that contains this token. Rejected if other users can open it.',
    parse: parseOptional(parseSecretFile),
  },
  serviceToken: {
    name: 'SERVICE_TOKEN',
    default: '',
    description:
      'API key or access token that the mcp command with --url and the payment commands send to a service that authenticates its callers (API_AUTH).',
    isSecret: true,
    parse: parseOptional(parseSecret(parseText)),
  },
  apiAuth: {
    name: 'API_AUTH',
    default: 'off',
    description:
      'How the tool service authenticates the callers of MCP and REST: off (anyone can call), keys (API keys of "keys create"), oauth (access tokens of OAUTH_ISSUER) or both.',
    parse: parseChoice(['off', 'keys', 'oauth', 'both']),
  },
  oauthIssuer: {
    name: 'OAUTH_ISSUER',
    default: '',
    description:
      'Issuer identifier of the OAuth authorization server, exactly as in the iss claim of its tokens (https://login.example.com). Its metadata and keys are read from this origin.',
    parse: parseOptional(parseIssuer),
  },
  oauthAudience: {
    name: 'OAUTH_AUDIENCE',
    default: '',
    description:
      'Audiences that an access token may have (aud), separated by commas. Default: PUBLIC_URL, and PUBLIC_URL with the path /mcp.',
    parse: parseList(parseText),
  },
  rateLimitPerSecond: {
    name: 'RATE_LIMIT_PER_SECOND',
    default: '',
    description:
      'Sustained requests per second that the tool service, the ledger node and the rollup each accept from one client address. 0 means no limit. Default: no limit if only this machine can reach them (EXPOSURE), else 50.',
    parse: parseOptional(parseInteger(0, 1_000_000)),
  },
  rateLimitBurst: {
    name: 'RATE_LIMIT_BURST',
    default: '100',
    description: 'Burst of requests that each of them accepts from one client address.',
    parse: parseInteger(1, 1_000_000),
  },
  connectionsPerAddress: {
    name: 'CONNECTIONS_PER_ADDRESS',
    default: '',
    description: `Connections that each port accepts from one client address, of ${CONNECTIONS_MAX} in total. Default: ${CONNECTIONS_PER_ADDRESS_DEFAULT}, or all of them behind a proxy (EXPOSURE).`,
    parse: parseOptional(parseInteger(1, CONNECTIONS_MAX)),
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    default: '',
    description:
      'Addresses and networks (10.0.0.0/8) of trusted proxies, separated by commas. Their X-Forwarded-For or Forwarded header names the client of a request.',
    parse: parseList(parseNetwork),
  },
  allowedHosts: {
    name: 'ALLOWED_HOSTS',
    default: '',
    description:
      'Host names that the listeners accept in addition to localhost, separated by commas, without port.',
    parse: parseList(parseHostName),
  },
  allowedOrigins: {
    name: 'ALLOWED_ORIGINS',
    default: '',
    description:
      'Origins of web pages that may call the tool service and the surfnet_ methods in addition to localhost, separated by commas (https://app.example).',
    parse: parseList(parseOrigin),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    default: '',
    description:
      'Public origin of the tool service, used in its discovery documents. Default: the Host of each request.',
    parse: parseOptional(parseOrigin),
  },
  ...LEDGER_VARIABLES,
  metrics: {
    name: 'METRICS',
    default: '',
    description:
      'Whether the listeners serve Prometheus metrics at GET /metrics: on or off. Default: on if only this machine can reach them (EXPOSURE).',
    parse: parseOptional(parseSwitch),
  },
  console: {
    name: 'CONSOLE',
    default: '',
    description:
      'Whether the tool service serves the console, a web page, at / and /console: on or off. Default: on if only this machine can reach it (EXPOSURE).',
    parse: parseOptional(parseSwitch),
  },
  consoleLogArguments: {
    name: 'CONSOLE_LOG_ARGUMENTS',
    default: 'off',
    description:
      'Whether the console lists every request with its arguments, including private payments and reads: on (only allowed if only this machine can reach it, EXPOSURE) or off.',
    parse: parseSwitch,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    description: `Lowest log level to write: ${LOG_LEVELS.join(', ')}.`,
    parse: parseChoice(LOG_LEVELS),
  },
  accessLog: {
    name: 'ACCESS_LOG',
    default: 'off',
    description:
      'Whether the tool service logs every REST and MCP call at level info, without arguments, tokens or client addresses: on or off.',
    parse: parseSwitch,
  },
} as const satisfies Record<string, Variable<unknown>>;

type Variables = typeof VARIABLES;

/** The parsed value of each variable. */
export type Settings = { readonly [Key in keyof Variables]: ReturnType<Variables[Key]['parse']> };
