import { BlockList, isIP } from 'node:net';
import type { ROLLUP_PLACES } from './ledger-variables.ts';
import type { Settings } from './variables.ts';
import { webSocketUrl } from './web-socket-url.ts';

/** Loopback addresses (RFC 6890): 127.0.0.0/8, also in its IPv4-mapped form, and ::1. */
const LOOPBACK_ADDRESSES = new BlockList();
LOOPBACK_ADDRESSES.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK_ADDRESSES.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');
LOOPBACK_ADDRESSES.addAddress('::1', 'ipv6');

/** Whether only this machine can reach a listener bound to `host`. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK_ADDRESSES.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** Maximum number of open connections of one listener. */
export const CONNECTIONS_MAX = 1_024;

/** Default limit of connections from one address to one listener. A quarter remains for other addresses. */
export const CONNECTIONS_PER_ADDRESS_DEFAULT = 768;

/** The reach of the listeners: only this machine, others through a proxy on it, or the whole network. */
type Exposure = 'machine' | 'proxy' | 'network';

const WORDS = { machine: 'this machine', proxy: 'behind a proxy', network: 'network' } as const;

/** Default rate limit per client address, unless only this machine can reach the listeners. */
const REQUESTS_PER_SECOND = 50;

/** Default faucet limit per call, and per address and time window: 10 SOL, in lamports. */
const FAUCET_LAMPORTS = 10_000_000_000n;

/** Derives the exposure. Behind a proxy, requests from the network also come from loopback. */
function exposureOf(settings: Settings): Exposure {
  if (!isLoopback(settings.host)) return 'network';
  return settings.exposure ?? (namesOfOthers(settings).length === 0 ? 'machine' : 'proxy');
}

/** Returns the exposure and every setting whose default depends on it. */
export function settleExposure(settings: Settings) {
  const exposure = exposureOf(settings);
  const isOwn = exposure === 'machine';
  const faucetMax = isOwn ? null : FAUCET_LAMPORTS;
  return {
    exposure,
    console: settings.console ?? isOwn,
    ledgerCheats: settings.ledgerCheats ?? (isOwn && !isGateway(settings)),
    metrics: settings.metrics ?? isOwn,
    rateLimitPerSecond: settings.rateLimitPerSecond ?? (isOwn ? 0 : REQUESTS_PER_SECOND),
    connectionsPerAddress:
      settings.connectionsPerAddress ??
      (exposure === 'proxy' ? CONNECTIONS_MAX : CONNECTIONS_PER_ADDRESS_DEFAULT),
    faucetCallMax: settings.faucetCallMax ?? faucetMax,
    faucetSliceMax: settings.faucetSliceMax ?? faucetMax,
  };
}

/** Describes the exposure and its consequences for the operator, in one line. */
export function describeExposure(config: ReturnType<typeof settleExposure>): string {
  const { exposure, rateLimitPerSecond: rate, faucetCallMax, faucetSliceMax } = config;
  const switches = { cheats: config.ledgerCheats, metrics: config.metrics, console: config.console };
  return [
    `${WORDS[exposure]}: ${Object.entries(switches)
      .map(([name, isOn]) => `${name} ${isOn ? 'on' : 'off'}`)
      .join(', ')}`,
    rate === 0 ? 'no rate limit' : `${rate} requests/s per address`,
    faucetCallMax === null && faucetSliceMax === null ? 'no faucet limit' : 'faucet limited',
  ].join(', ');
}

/** Returns a warning for each missing setting that gives others more access than the operator may expect. */
export function exposureWarnings(
  config: Pick<Settings, 'host' | 'allowedHosts' | 'trustedProxies'> & ReturnType<typeof settleExposure>,
): string[] {
  const { exposure, host, allowedHosts, trustedProxies, rateLimitPerSecond } = config;
  if (exposure === 'proxy' && trustedProxies.length === 0 && rateLimitPerSecond > 0) {
    return ['TRUSTED_PROXIES is not set: all callers behind the proxy share one rate limit.'];
  }
  if (exposure !== 'network' || allowedHosts.length > 0) return [];
  return [
    `HOST ${host} is open to the network and answers to any host name: anyone can use the faucet and both services. Set ALLOWED_HOSTS, or bind to 127.0.0.1.`,
  ];
}

/** Returns a fault for each setting that contradicts the exposure. */
export function exposureFaults(settings: Settings): string[] {
  const { host, exposure, trustedProxies } = settings;
  const faults: string[] = [];
  if (exposure !== null && !isLoopback(host)) {
    faults.push(
      `EXPOSURE is ${exposure} while HOST ${host} is open to the network: bind to 127.0.0.1 or unset EXPOSURE`,
    );
  }
  if (exposure === 'machine' && trustedProxies.length > 0) {
    faults.push(
      'EXPOSURE is machine, but TRUSTED_PROXIES admits clients from other machines: unset one of them',
    );
  }
  if (exposureOf(settings) !== 'machine') {
    const [name] = exposure === 'proxy' ? ['EXPOSURE'] : namesOfOthers(settings);
    const [reason, fix] = isLoopback(host)
      ? [`${name} admits clients from other machines`, `unset ${name}`]
      : [`HOST ${host} is open to the network`, 'bind to 127.0.0.1'];
    // Each of these settings lets others control the ledger or the wallets, or see private requests.
    const own = {
      LEDGER_CHEATS: settings.ledgerCheats,
      LOCALNET_WALLETS: settings.localnetWallets,
      CONSOLE_LOG_ARGUMENTS: settings.consoleLogArguments,
    };
    for (const [variable, isOn] of Object.entries(own)) {
      if (isOn === true) faults.push(`${variable} is on while ${reason}: ${fix} or turn it off`);
    }
  } else if (settings.consoleLogArguments && settings.console === false) {
    faults.push(
      'CONSOLE_LOG_ARGUMENTS is on while CONSOLE is off: turn the console on, or CONSOLE_LOG_ARGUMENTS off',
    );
  }
  return faults;
}

/** Returns the names of the configured variables that give others access through a host name or a proxy. */
function namesOfOthers({ publicUrl, trustedProxies, allowedHosts }: Settings): readonly string[] {
  return [
    ...(publicUrl === null ? [] : ['PUBLIC_URL']),
    ...(trustedProxies.length === 0 ? [] : ['TRUSTED_PROXIES']),
    ...(allowedHosts.length === 0 ? [] : ['ALLOWED_HOSTS']),
  ];
}

/** Returns whether the ledger node forwards calls to a cluster instead of running an embedded ledger. */
export function isGateway({ ledgerUpstreamUrl }: Pick<Settings, 'ledgerUpstreamUrl'>): boolean {
  return ledgerUpstreamUrl.reveal().length > 0;
}

/** Returns a fault for each setting that contradicts a forwarding ledger node. */
export function gatewayFaults(settings: Settings): string[] {
  if (!isGateway(settings)) {
    const own = {
      LEDGER_UPSTREAM_METHODS: settings.ledgerUpstreamMethods,
      LEDGER_UPSTREAM_WS_URL: settings.ledgerUpstreamWsUrl.reveal(),
    };
    return Object.entries(own)
      .filter(([, values]) => values.length > 0)
      .map(([variable]) => `${variable} is set without LEDGER_UPSTREAM_URL: set both or neither`);
  }
  const faults: string[] = [];
  if (settings.cluster === 'localnet') {
    faults.push(
      'CLUSTER localnet is the embedded ledger, which LEDGER_UPSTREAM_URL replaces: choose another cluster, or unset one of them',
    );
  }
  if (settings.ledgerCheats === true) {
    faults.push(
      'LEDGER_CHEATS is on while LEDGER_UPSTREAM_URL replaces the embedded ledger: unset one of them',
    );
  }
  if (settings.localnetPrograms !== null) {
    faults.push(
      'LOCALNET_PROGRAMS is set while LEDGER_UPSTREAM_URL replaces the embedded ledger: unset one of them',
    );
  }
  if (settings.ledgerUpstreamUrl.reveal().some((url) => isOwnPort(url, settings))) {
    faults.push('LEDGER_UPSTREAM_URL points to a port of this program: set the URL of another node');
  } else if (upstreamWebSockets(settings).some((url) => isOwnPort(url, settings))) {
    faults.push(
      'The WebSocket of LEDGER_UPSTREAM_URL is a port of this program: set LEDGER_UPSTREAM_WS_URL to that of another node',
    );
  }
  return faults;
}

/** Whether a URL points to this gateway, which would then forward a call to itself endlessly. */
function isOwnPort(url: URL, { port, ledgerRpcPort }: Settings): boolean {
  const number = Number(url.port || (/^(https|wss):$/.test(url.protocol) ? 443 : 80));
  const hostName = url.hostname.replace(/^\[|\]$/g, '');
  // With port 0, the actual port is not known yet.
  const own = [port, ...(ledgerRpcPort === 0 ? [] : [ledgerRpcPort, ledgerRpcPort + 1])];
  return isLoopback(hostName) && own.includes(number);
}

/** Returns the WebSocket URLs of the cluster to which the ledger node forwards. */
export function upstreamWebSockets({
  ledgerUpstreamUrl,
  ledgerUpstreamWsUrl,
}: Pick<Settings, 'ledgerUpstreamUrl' | 'ledgerUpstreamWsUrl'>): readonly URL[] {
  const set = ledgerUpstreamWsUrl.reveal();
  return set.length > 0 ? set : ledgerUpstreamUrl.reveal().map(webSocketUrl);
}

/** The place of localnet's rollup: this program, MagicBlock's validator, or nowhere. */
export type RollupPlace = (typeof ROLLUP_PLACES)[number];

/** Returns the place of the rollup; by default embedded if there is an embedded ledger. */
export function rollupPlace(settings: Pick<Settings, 'rollup' | 'ledgerUpstreamUrl'>): RollupPlace {
  return settings.rollup ?? (isGateway(settings) ? 'off' : 'embedded');
}

/** Returns a fault for each setting that contradicts the place of the rollup. */
export function rollupFaults(settings: Settings): string[] {
  const place = rollupPlace(settings);
  if (place !== 'off' && isGateway(settings)) {
    return [
      `ROLLUP ${place} needs the embedded ledger, which LEDGER_UPSTREAM_URL replaces: unset one of them`,
    ];
  }
  if (place !== 'external') return [];
  const faults: string[] = [];
  if (settings.ephemeralRpcUrl.reveal().length === 0) {
    faults.push('ROLLUP is external: set EPHEMERAL_RPC_URL to the validator that runs on this ledger');
  }
  if (settings.baseRpcUrl.reveal().length > 0) {
    faults.push(
      'ROLLUP external uses EPHEMERAL_RPC_URL for localnet, but BASE_RPC_URL makes it the mainnet rollup: unset one of them',
    );
  }
  return faults;
}
