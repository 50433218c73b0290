import { USDC_DEVNET_MINT, USDC_MINT } from '../programs/addresses.ts';
import type { Address } from '../solana/address.ts';
import type { Network } from './chain.ts';
import type { ClusterSettings } from './cluster-settings.ts';

type KeyOf<T> = {
  [Key in keyof ClusterSettings]: ClusterSettings[Key] extends T ? Key : never;
}[keyof ClusterSettings];

/** A setting and the environment variable that sets it. */
export interface Setting<Key> {
  readonly key: Key;
  readonly variable: string;
}

/** Where the settings of a named cluster come from. */
export interface ClusterRow {
  readonly name: string;
  readonly network: Network;
  readonly base: Setting<KeyOf<{ reveal(): readonly URL[] }>>;
  readonly ephemeral: Setting<KeyOf<{ reveal(): readonly URL[] }>>;
  readonly publicUrl: KeyOf<string | null>;
  /** Whether the rollup has a login. Only private rollups have one. */
  readonly hasLogin: boolean;
  readonly validator: Setting<KeyOf<string | null>>;
  readonly layout: KeyOf<ClusterSettings['baseLayout']>;
  readonly lookupTable: Setting<KeyOf<string | null>> | null;
  /** USDC of the network; USDC of mainnet if the network is unknown. */
  readonly defaultMint: Address;
}

/** The setting that names the lookup table of the embedded ledger. */
export const LOCALNET_LOOKUP_TABLE = {
  key: 'localnetLookupTable',
  variable: 'PRIVATE_BASE_TO_BASE_TRANSFER_LOCALNET_LOOKUP_TABLE',
} as const;

const MAINNET = {
  network: 'mainnet',
  base: { key: 'baseRpcUrl', variable: 'BASE_RPC_URL' },
  ephemeral: { key: 'ephemeralRpcUrl', variable: 'EPHEMERAL_RPC_URL' },
  publicUrl: 'ephemeralPublicUrl',
  hasLogin: false,
  validator: { key: 'ephemeralValidator', variable: 'EPHEMERAL_VALIDATOR' },
  layout: 'baseLayout',
  lookupTable: { key: 'mainnetLookupTable', variable: 'PRIVATE_BASE_TO_BASE_TRANSFER_MAINNET_LOOKUP_TABLE' },
  defaultMint: USDC_MINT,
} as const;

const DEVNET = {
  network: 'devnet',
  base: { key: 'baseDevnetRpcUrl', variable: 'BASE_DEVNET_RPC_URL' },
  ephemeral: { key: 'ephemeralDevnetRpcUrl', variable: 'EPHEMERAL_DEVNET_RPC_URL' },
  publicUrl: 'ephemeralDevnetPublicUrl',
  hasLogin: false,
  validator: { key: 'ephemeralDevnetValidator', variable: 'EPHEMERAL_DEVNET_VALIDATOR' },
  layout: 'baseDevnetLayout',
  lookupTable: { key: 'devnetLookupTable', variable: 'PRIVATE_BASE_TO_BASE_TRANSFER_DEVNET_LOOKUP_TABLE' },
  defaultMint: USDC_DEVNET_MINT,
} as const;

/**
 * A base ledger named by URL or by `CLUSTER=custom`. As in the hosted Private Payments API, its rollup is
 * mainnet's and it has no lookup table.
 */
export const CUSTOM_ROW: ClusterRow = { ...MAINNET, name: 'custom', network: 'custom', lookupTable: null };

/** The named clusters other than localnet. The variables are those of the hosted Private Payments API. */
export const CLUSTER_ROWS: readonly ClusterRow[] = [
  { ...MAINNET, name: 'mainnet' },
  { ...DEVNET, name: 'devnet' },
  {
    ...MAINNET,
    name: 'mainnet-private',
    ephemeral: { key: 'ephemeralTeeRpcUrl', variable: 'EPHEMERAL_TEE_RPC_URL' },
    publicUrl: 'ephemeralTeePublicUrl',
    hasLogin: true,
    validator: { key: 'ephemeralTeeValidator', variable: 'EPHEMERAL_TEE_VALIDATOR' },
  },
  {
    ...DEVNET,
    name: 'devnet-private',
    ephemeral: { key: 'ephemeralDevnetTeeRpcUrl', variable: 'EPHEMERAL_DEVNET_TEE_RPC_URL' },
    publicUrl: 'ephemeralDevnetTeePublicUrl',
    hasLogin: true,
    validator: { key: 'ephemeralDevnetTeeValidator', variable: 'EPHEMERAL_DEVNET_TEE_VALIDATOR' },
  },
];

/** The environment variable that names the table of a network's private transfers; undefined if none does. */
export const lookupTableVariable = (network: Network): string | undefined =>
  network === 'localnet'
    ? LOCALNET_LOOKUP_TABLE.variable
    : CLUSTER_ROWS.find((row) => row.network === network)?.lookupTable?.variable;
