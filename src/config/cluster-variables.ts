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

/** The clusters there are. `custom` is a base ledger of the operator's own. */
export const CLUSTER_NAMES = [
  'localnet',
  'mainnet',
  'devnet',
  'mainnet-private',
  'devnet-private',
  'custom',
] as const;

const LAYOUTS = ['a', 'b'] as const;

/** URLs of an upstream, in the order in which they are tried. */
export const rpcUrls = <Name extends string>(name: Name, description: string) => ({
  name,
  default: '',
  description: `${description} Several are tried in order; commas between them. They may carry keys and are never shown.`,
  isSecret: true,
  parse: parseSecret(parseList(parseHttpUrl)),
});

const publicUrl = <Name extends string>(name: Name, rpcUrl: string) => ({
  name,
  default: '',
  description: `What callers are told of ${rpcUrl}. Default: its origin when it has neither user, path nor query, else nothing.`,
  parse: parseOptional(parseShownUrl),
});

const validator = <Name extends string>(name: Name, rpcUrl: string) => ({
  name,
  default: '',
  description: `Validator of the rollup at ${rpcUrl}: taken while the rollup does not tell its own, refused with VALIDATOR_DISPUTED when it tells another. Default: none, so that only the rollup tells it.`,
  parse: parseOptional(parseAddressText),
});

const layout = <Name extends string>(name: Name, rpcUrl: string) => ({
  name,
  default: 'b',
  description: `Form of the ephemeral SPL token program at ${rpcUrl}: b, deployed since May 2026, or a, of January 2026.`,
  parse: parseChoice(LAYOUTS),
});

const lookupTable = <Name extends string, Address extends string>(
  name: Name,
  address: Address,
  network: string,
) => ({
  name,
  default: address,
  description: `Lookup table that makes private transfers on ${network} shorter; none does without.`,
  parse: parseAddressText,
});

/** The settings of the networks, by the names the hosted Private Payments API has for those it knows. */
export const CLUSTER_VARIABLES = {
  cluster: {
    name: 'CLUSTER',
    default: '',
    description: `The cluster requests mean that name none: ${CLUSTER_NAMES.join(', ')}. Default: mainnet where BASE_RPC_URL is set, localnet (the embedded ledger) where no RPC URL is.`,
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
      'Hosts of base ledgers that callers may name by an https URL as their cluster, with or without port, separated by commas; their rollup is EPHEMERAL_RPC_URL. A name must lead to public addresses; an address that is written here itself may be any and may go without TLS.',
    parse: parseList(parseHost),
  },
} as const satisfies Record<string, Variable<unknown>>;

/** The settings an RPC URL can be given by. */
export const RPC_URL_KEYS = [
  'baseRpcUrl',
  'ephemeralRpcUrl',
  'ephemeralTeeRpcUrl',
  'baseDevnetRpcUrl',
  'ephemeralDevnetRpcUrl',
  'ephemeralDevnetTeeRpcUrl',
] as const satisfies readonly (keyof typeof CLUSTER_VARIABLES)[];
