import {
  parseAddressText,
  parseChoice,
  parseHost,
  parseHttpUrl,
  parseList,
  parseOptional,
  parseSecret,
  parseShownUrl,
  type Variable,
} from './variable.ts';

/** The supported clusters. `custom` is the operator's own base ledger. */
export const CLUSTER_NAMES = [
  'localnet',
  'mainnet',
  'devnet',
  'mainnet-private',
  'devnet-private',
  'custom',
] as const;

const LAYOUTS = ['a', 'b'] as const;

/** Defines a variable with the URLs of an upstream, which are tried in order. */
export const rpcUrls = <Name extends string>(name: Name, description: string) => ({
  name,
  default: '',
  description: `${description} Several URLs, separated by commas, are tried in order. They may contain keys and are never shown.`,
  isSecret: true,
  parse: parseSecret(parseList(parseHttpUrl)),
});

const publicUrl = <Name extends string>(name: Name, rpcUrl: string) => ({
  name,
  default: '',
  description: `URL that callers see instead of ${rpcUrl}. Default: the origin of that URL if it has no user, path or query, else none.`,
  parse: parseOptional(parseShownUrl),
});

const validator = <Name extends string>(name: Name, rpcUrl: string) => ({
  name,
  default: '',
  description: `Validator of the rollup at ${rpcUrl}, used if the rollup does not report one. If the rollup reports another, requests fail with VALIDATOR_DISPUTED. Default: none, so the rollup must report it.`,
  parse: parseOptional(parseAddressText),
});

const layout = <Name extends string>(name: Name, rpcUrl: string) => ({
  name,
  default: 'b',
  description: `Version of the ephemeral SPL token program at ${rpcUrl}: a (January 2026) or b (deployed since May 2026).`,
  parse: parseChoice(LAYOUTS),
});

const lookupTable = <Name extends string, Address extends string>(
  name: Name,
  address: Address,
  network: string,
) => ({
  name,
  default: address,
  description: `Lookup table that makes private transfers on ${network} shorter; none to use no table.`,
  parse: parseAddressText,
});

/** The settings of the clusters. Settings shared with the hosted Private Payments API keep its names. */
export const CLUSTER_VARIABLES = {
  cluster: {
    name: 'CLUSTER',
    default: '',
    description: `Cluster for requests that name none: ${CLUSTER_NAMES.join(', ')}. Default: mainnet if BASE_RPC_URL is set, localnet (the embedded ledger) if no RPC URL is set.`,
    parse: parseOptional(parseChoice(CLUSTER_NAMES)),
  },
  baseRpcUrl: rpcUrls('BASE_RPC_URL', 'RPC of Solana mainnet.'),
  ephemeralRpcUrl: rpcUrls('EPHEMERAL_RPC_URL', 'RPC of the mainnet rollup.'),
  ephemeralTeeRpcUrl: rpcUrls(
    'EPHEMERAL_TEE_RPC_URL',
    'RPC of the private mainnet rollup (mainnet-private).',
  ),
  baseDevnetRpcUrl: rpcUrls('BASE_DEVNET_RPC_URL', 'RPC of Solana devnet.'),
  ephemeralDevnetRpcUrl: rpcUrls('EPHEMERAL_DEVNET_RPC_URL', 'RPC of the devnet rollup.'),
  ephemeralDevnetTeeRpcUrl: rpcUrls(
    'EPHEMERAL_DEVNET_TEE_RPC_URL',
    'RPC of the private devnet rollup (devnet-private).',
  ),
  ephemeralPublicUrl: publicUrl('EPHEMERAL_PUBLIC_URL', 'EPHEMERAL_RPC_URL'),
  ephemeralTeePublicUrl: publicUrl('EPHEMERAL_TEE_PUBLIC_URL', 'EPHEMERAL_TEE_RPC_URL'),
  ephemeralDevnetPublicUrl: publicUrl('EPHEMERAL_DEVNET_PUBLIC_URL', 'EPHEMERAL_DEVNET_RPC_URL'),
  ephemeralDevnetTeePublicUrl: publicUrl('EPHEMERAL_DEVNET_TEE_PUBLIC_URL', 'EPHEMERAL_DEVNET_TEE_RPC_URL'),
  ephemeralValidator: validator('EPHEMERAL_VALIDATOR', 'EPHEMERAL_RPC_URL'),
  ephemeralTeeValidator: validator('EPHEMERAL_TEE_VALIDATOR', 'EPHEMERAL_TEE_RPC_URL'),
  ephemeralDevnetValidator: validator('EPHEMERAL_DEVNET_VALIDATOR', 'EPHEMERAL_DEVNET_RPC_URL'),
  ephemeralDevnetTeeValidator: validator('EPHEMERAL_DEVNET_TEE_VALIDATOR', 'EPHEMERAL_DEVNET_TEE_RPC_URL'),
  baseLayout: layout('BASE_LAYOUT', 'BASE_RPC_URL'),
  baseDevnetLayout: layout('BASE_DEVNET_LAYOUT', 'BASE_DEVNET_RPC_URL'),
  localnetLookupTable: lookupTable('PRIVATE_BASE_TO_BASE_TRANSFER_LOCALNET_LOOKUP_TABLE', 'none', 'localnet'),
  mainnetLookupTable: lookupTable(
    'PRIVATE_BASE_TO_BASE_TRANSFER_MAINNET_LOOKUP_TABLE',
    '54M1BrqVSg1UGTmhH44gQPsPVyuMpmcVBkaY2wYNSVZB',
    'mainnet',
  ),
  devnetLookupTable: lookupTable(
    'PRIVATE_BASE_TO_BASE_TRANSFER_DEVNET_LOOKUP_TABLE',
    'E26JGdRsdKkGe6oRU4Un24agZjBF2Bg9z1ctfZByETRo',
    'devnet',
  ),
  clusterAllowedHosts: {
    name: 'CLUSTER_ALLOWED_HOSTS',
    default: '',
    description:
      'Hosts whose base ledgers callers can pass as cluster with an https URL, with or without port, separated by commas. Their rollup is EPHEMERAL_RPC_URL. A host name must resolve to public addresses. An IP address listed here may be private and may be used without TLS.',
    parse: parseList(parseHost),
  },
} as const satisfies Record<string, Variable<unknown>>;

/** The settings that contain an RPC URL. */
export const RPC_URL_KEYS = [
  'baseRpcUrl',
  'ephemeralRpcUrl',
  'ephemeralTeeRpcUrl',
  'baseDevnetRpcUrl',
  'ephemeralDevnetRpcUrl',
  'ephemeralDevnetTeeRpcUrl',
] as const satisfies readonly (keyof typeof CLUSTER_VARIABLES)[];
