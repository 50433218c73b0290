import { findNearestName } from '../errors/nearest-name.ts';
import { ServiceError } from '../errors/service-error.ts';
import { CLUSTER_NAMES, RPC_URL_KEYS } from './cluster-variables.ts';
import {
  exposureFaults,
  gatewayFaults,
  isGateway,
  isLoopback,
  rollupFaults,
  rollupPlace,
  type RollupPlace,
  settleExposure,
} from './exposure.ts';
import type { Secret } from './secret.ts';
import { LONG_TEXT_MIN, type Variable } from './variable.ts';
import { type Settings, VARIABLES } from './variables.ts';
export { exposureWarnings, isGateway, upstreamWebSockets } from './exposure.ts';
export { VARIABLES } from './variables.ts';

/** Settings that {@link settle} replaces. */
type Settled =
  | 'authTokenFile'
  | 'cluster'
  | 'checkoutSecretFile'
  | 'facilitatorSecretKeyFile'
  | 'gaslessSponsorSecretKeyFile'
  | 'rollup'
  | keyof Exposed;

/** The exposure, and the settings whose defaults depend on it. */
type Exposed = ReturnType<typeof settleExposure>;

/** The effective settings of the process. */
export interface Config extends Omit<Settings, Settled>, Exposed {
  /** The default cluster of requests. */
  readonly cluster: (typeof CLUSTER_NAMES)[number];
  /** The token, from the variable or from the file; null if there is none. */
  readonly authToken: Secret<string> | null;
  /** The key, from the variable or from the file; null if there is none. */
  readonly gaslessSponsorSecretKey: Secret<string> | null;
  /** The key, from the variable or from the file; null if there is none. */
  readonly facilitatorSecretKey: Secret<string> | null;
  /** The secret, from the variable or from the file; null if there is none. */
  readonly checkoutSecret: Secret<string> | null;
  readonly rollup: RollupPlace;
}

/**
 * Reads the settings from environment variables and secret files. Unset and blank variables take their
 * default. Variables with misspelled names are rejected.
 *
 * @throws {ServiceError} CONFIG_INVALID with one line per fault. Each line names the variable and the fix,
 *   and none contains a secret.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const names = Object.values<Variable<unknown>>(VARIABLES).map(({ name }) => name);
  const faults = misspelledNames(env, names);
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

/** Minimum length of checked names. Shorter names resemble variables of other programs, such as `POST`. */
const SHORTEST_CHECKED_NAME = 7;

/** Minimum length of names that may contain two typos. Shorter names may contain one typo. */
const LONG_NAME = 10;

/** Returns a fault for each variable that is probably a misspelled setting. Other variables are ignored. */
function misspelledNames(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): string[] {
  const short = names.filter(({ length }) => length >= SHORTEST_CHECKED_NAME && length < LONG_NAME);
  const long = names.filter(({ length }) => length >= LONG_NAME);
  return Object.entries(env).flatMap(([name, text = '']) => {
    if (names.includes(name) || text.trim() === '') return [];
    const meant = findNearestName(name, short, 1) ?? findNearestName(name, long, 2);
    return meant === undefined ? [] : [`${name} is not a setting: did you mean ${meant}? Rename or unset it`];
  });
}

/** Checks settings that depend on each other, and computes derived settings. */
function settle(settings: Settings): Config {
  const {
    authTokenFile,
    gaslessSponsorSecretKeyFile,
    facilitatorSecretKeyFile,
    checkoutSecretFile,
    ...kept
  } = settings;
  const { authToken, gaslessSponsorSecretKey, facilitatorSecretKey, checkoutSecret } = kept;
  const cluster = settings.cluster ?? defaultCluster(settings);
  const faults = [...portFaults(settings), ...gatewayFaults(settings), ...rollupFaults(settings)];
  if (settings.limitsUrl !== null && settleExposure(settings).rateLimitPerSecond === 0) {
    faults.push('LIMITS_URL is set without a rate limit: set RATE_LIMIT_PER_SECOND, or unset LIMITS_URL');
  }
  faults.push(...policyFaults(settings));
  if (cluster === null) faults.push(noClusterFault(settings));
  faults.push(
    ...twiceFault('GASLESS_SPONSOR_SECRET_KEY', gaslessSponsorSecretKey, gaslessSponsorSecretKeyFile),
    ...twiceFault('FACILITATOR_SECRET_KEY', facilitatorSecretKey, facilitatorSecretKeyFile),
    ...twiceFault('CHECKOUT_SECRET', checkoutSecret, checkoutSecretFile),
    ...twiceFault('AUTH_TOKEN', authToken, authTokenFile),
  );
  if (checkoutSecretFile !== null && checkoutSecretFile.reveal().length < LONG_TEXT_MIN) {
    faults.push(`CHECKOUT_SECRET_FILE must contain at least ${LONG_TEXT_MIN} characters`);
  }
  const hasCheckout = checkoutSecret !== null || checkoutSecretFile !== null;
  if (settings.webhookOrigins.length > 0 && !hasCheckout) {
    faults.push('WEBHOOK_ORIGINS needs CHECKOUT_SECRET: set CHECKOUT_SECRET, or unset WEBHOOK_ORIGINS');
  }
  const { host, publicUrl, allowedHosts } = settings;
  if (hasCheckout && !isLoopback(host) && publicUrl === null && allowedHosts.length === 0) {
    faults.push(
      `CHECKOUT_SECRET is set while HOST ${host} is open to the network: set PUBLIC_URL or ALLOWED_HOSTS, so that wallets never sign a challenge that names another site`,
    );
  }
  faults.push(...processFaults(settings), ...exposureFaults(settings), ...authFaults(settings));
  if (cluster === null || faults.length > 0) throw new ServiceError('CONFIG_INVALID', faults.join('\n'));
  return {
    ...kept,
    cluster,
    authToken: authToken ?? authTokenFile,
    gaslessSponsorSecretKey: gaslessSponsorSecretKey ?? gaslessSponsorSecretKeyFile,
    facilitatorSecretKey: facilitatorSecretKey ?? facilitatorSecretKeyFile,
    checkoutSecret: checkoutSecret ?? checkoutSecretFile,
    ...settleExposure(settings),
    rollup: rollupPlace(settings),
  };
}

/** Returns the fault if a secret and its file are both set. */
const twiceFault = (name: string, text: unknown, file: unknown): string[] =>
  text === null || file === null ? [] : [`${name} and ${name}_FILE are both set: unset one of them`];

/**
 * Returns the default of `CLUSTER`. It is mainnet if mainnet's URL is set, as in the hosted Private Payments
 * API, localnet if there is an embedded ledger and no URL, and null if the choice is not clear.
 */
function defaultCluster(settings: Settings): Config['cluster'] | null {
  if (settings.baseRpcUrl.reveal().length > 0) return 'mainnet';
  const ofOthers = RPC_URL_KEYS.filter((key) => key !== 'ephemeralRpcUrl' || settings.rollup !== 'external');
  const hasNoUrl = ofOthers.every((key) => settings[key].reveal().length === 0);
  return hasNoUrl && !isGateway(settings) ? 'localnet' : null;
}

function noClusterFault(settings: Settings): string {
  const names = CLUSTER_NAMES.filter((name) => name !== 'localnet' || !isGateway(settings)).join(', ');
  const fix = `CLUSTER must be set: without BASE_RPC_URL the choice between ${names} is not clear`;
  if (!isGateway(settings)) return fix;
  return `${fix}, because LEDGER_UPSTREAM_URL replaces the embedded ledger. The payments service needs its own cluster: set BASE_RPC_URL and EPHEMERAL_RPC_URL for mainnet, or CLUSTER=devnet, BASE_DEVNET_RPC_URL and EPHEMERAL_DEVNET_RPC_URL`;
}

/** Returns faults of `WORKERS` and `LOCALNET_WALLETS`. Both depend on the embedded ledger. */
function processFaults(settings: Settings): string[] {
  const { workers, localnetWallets } = settings;
  if (!isGateway(settings)) {
    if (workers === 1) return [];
    return [
      `WORKERS is ${workers} with an embedded ledger, which is always one process: set WORKERS to 1, or serve a real cluster with LEDGER_UPSTREAM_URL`,
    ];
  }
  if (!localnetWallets) return [];
  return [
    'LOCALNET_WALLETS is on without an embedded ledger: unset LEDGER_UPSTREAM_URL, or turn LOCALNET_WALLETS off',
  ];
}

/** Returns faults of `SPENDING_POLICY`. Without effect, it would suggest protection that does not exist. */
function policyFaults(settings: Settings): string[] {
  const { spendingPolicy, localnetWallets, facilitatorSecretKey, facilitatorSecretKeyFile, stateUrl } =
    settings;
  if (spendingPolicy === null) return [];
  const isFacilitator = facilitatorSecretKey !== null || facilitatorSecretKeyFile !== null;
  if (isFacilitator && stateUrl !== null) {
    return ['SPENDING_POLICY cannot limit a facilitator with STATE_URL: unset one of them'];
  }
  if (isFacilitator || localnetWallets) return [];
  return [
    'SPENDING_POLICY is set without LOCALNET_WALLETS or FACILITATOR_SECRET_KEY: set one of them, or unset SPENDING_POLICY',
  ];
}

/** Whether the service accepts API keys. */
export const usesApiKeys = ({ apiAuth }: Pick<Settings, 'apiAuth'>): boolean =>
  apiAuth === 'keys' || apiAuth === 'both';

/** Returns faults of `API_AUTH`. An issuer without `API_AUTH` would suggest protection where none exists. */
function authFaults({ apiAuth, oauthIssuer, oauthAudience, publicUrl }: Settings): string[] {
  const usesOauth = apiAuth === 'oauth' || apiAuth === 'both';
  if (!usesOauth) {
    const given = oauthIssuer === null ? 'OAUTH_AUDIENCE' : 'OAUTH_ISSUER';
    if (oauthIssuer === null && oauthAudience.length === 0) return [];
    return [`${given} is set while API_AUTH is ${apiAuth}: set API_AUTH to oauth or both, or unset ${given}`];
  }
  const faults: string[] = [];
  if (oauthIssuer === null)
    faults.push(`API_AUTH is ${apiAuth}: set OAUTH_ISSUER to the issuer of the tokens`);
  if (oauthAudience.length === 0 && publicUrl === null) {
    faults.push(
      `API_AUTH is ${apiAuth}: set PUBLIC_URL or OAUTH_AUDIENCE, so that tokens for other services are rejected`,
    );
  }
  return faults;
}

/** Returns faults of ports. A node uses its port and the next (WebSocket); the tool service uses one. */
function portFaults(settings: Settings): string[] {
  const { port, ledgerRpcPort, rollupRpcPort } = settings;
  const hasRollup = rollupPlace(settings) === 'embedded';
  const takers = [
    { name: 'PORT', ports: [port] },
    { name: 'LEDGER_RPC_PORT', ports: [ledgerRpcPort, ledgerRpcPort + 1] },
    ...(hasRollup ? [{ name: 'ROLLUP_RPC_PORT', ports: [rollupRpcPort, rollupRpcPort + 1] }] : []),
  ].filter(({ ports }) => ports[0] !== 0);
  return takers.flatMap((taker, index) =>
    takers
      .slice(0, index)
      .filter((earlier) => taker.ports.some((taken) => earlier.ports.includes(taken)))
      .map((earlier) => collision(earlier, taker)),
  );
}

interface Taker {
  readonly name: string;
  readonly ports: readonly number[];
}

function collision(one: Taker, other: Taker): string {
  const usesNext = other.ports.length > 1 ? ', which uses that port and the next one' : '';
  return `${one.name} ${one.ports[0]} collides with ${other.name} ${other.ports[0]}${usesNext}: choose another`;
}
