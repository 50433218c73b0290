import { isGateway } from './gateway-settings.ts';
import { isLoopback } from './loopback.ts';
import type { Settings } from './variables.ts';

/** Connections that one listener takes. */
export const CONNECTIONS_MAX = 1_024;

/**
 * Connections of one address to one listener by default: three quarters of all, so that nobody alone keeps
 * all others out. A load generator with 512 connections works beside other clients of its machine.
 */
export const CONNECTIONS_PER_ADDRESS_DEFAULT = 768;

/** Who reaches the listeners: this machine alone, others through a proxy on it, or the network. */
type Exposure = 'machine' | 'proxy' | 'network';

const WORDS = { machine: 'this machine', proxy: 'behind a proxy', network: 'network' } as const;

/** Requests per second from one client address, unless only this machine sends any. */
const REQUESTS_PER_SECOND = 50;

/** Lamports of the faucet, 10 SOL, in one call and to one address in a slice of time. */
const FAUCET_LAMPORTS = 10_000_000_000n;

/** Derives who reaches the listeners. Behind a proxy, requests of strangers come from loopback, too. */
function exposureOf(settings: Settings): Exposure {
  if (!isLoopback(settings.host)) return 'network';
  return settings.exposure ?? (namesOfOthers(settings).length === 0 ? 'machine' : 'proxy');
}

/** Settles every setting whose default depends on who reaches the listeners. */
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

/** Returns the exposure and what follows from it, for the operator. */
export function describeExposure(config: ReturnType<typeof settleExposure>): string {
  const { exposure, rateLimitPerSecond: rate, faucetCallMax, faucetSliceMax } = config;
  const switches = { cheats: config.ledgerCheats, metrics: config.metrics, console: config.console };
  return [
    `${WORDS[exposure]}: ${Object.entries(switches)
      .map(([name, isOn]) => `${name} ${isOn ? 'on' : 'off'}`)
      .join(', ')}`,
    rate === 0 ? 'no rate limit' : `${rate} requests/s from an address`,
    faucetCallMax === null && faucetSliceMax === null ? 'no faucet limit' : 'faucet limited',
  ].join(', ');
}

/** Returns the settings that contradict each other about who reaches the listeners. */
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
      'EXPOSURE is machine while TRUSTED_PROXIES lets others than this machine in: unset one of them',
    );
  }
  if (exposureOf(settings) !== 'machine') {
    const [name] = exposure === 'proxy' ? ['EXPOSURE'] : namesOfOthers(settings);
    const [reason, mend] = isLoopback(host)
      ? [`${name} lets others than this machine in`, `unset ${name}`]
      : [`HOST ${host} is open to the network`, 'bind to 127.0.0.1'];
    // Each gives anyone who reaches the service the ledger, wallets, or the private requests of others.
    const own = {
      LEDGER_CHEATS: settings.ledgerCheats,
      LOCALNET_WALLETS: settings.localnetWallets,
      CONSOLE_LOG_ARGUMENTS: settings.consoleLogArguments,
    };
    for (const [variable, isOn] of Object.entries(own)) {
      if (isOn === true) faults.push(`${variable} is on while ${reason}: ${mend} or turn it off`);
    }
  } else if (settings.consoleLogArguments && settings.console === false) {
    faults.push('CONSOLE_LOG_ARGUMENTS is on while CONSOLE is off: turn one of them around');
  }
  return faults;
}

/** The settings that let others in through a name or a proxy. */
function namesOfOthers({ publicUrl, trustedProxies, allowedHosts }: Settings): readonly string[] {
  return [
    ...(publicUrl === null ? [] : ['PUBLIC_URL']),
    ...(trustedProxies.length === 0 ? [] : ['TRUSTED_PROXIES']),
    ...(allowedHosts.length === 0 ? [] : ['ALLOWED_HOSTS']),
  ];
}
