import { Secret } from './secret.ts';
import { requireReadableUser } from './variable.ts';

/** Public RPC URLs by cluster name: the names of the Solana CLI, and `mainnet`. */
export const CLUSTER_MONIKERS: Readonly<Record<string, string>> = {
  m: 'https://api.mainnet-beta.solana.com',
  'mainnet-beta': 'https://api.mainnet-beta.solana.com',
  mainnet: 'https://api.mainnet-beta.solana.com',
  d: 'https://api.devnet.solana.com',
  devnet: 'https://api.devnet.solana.com',
  t: 'https://api.testnet.solana.com',
  testnet: 'https://api.testnet.solana.com',
  l: 'http://localhost:8899',
  localhost: 'http://localhost:8899',
};

/** The source of localnet's programs. */
type ProgramsPlace =
  | { readonly kind: 'folder'; readonly folder: string }
  /** The RPC of a cluster. Its URL may carry a key. */
  | { readonly kind: 'cluster'; readonly url: Secret<URL> };

/** Reads a cluster name or an http(s) URL; anything else is a folder. */
export function parseProgramsPlace(text: string): ProgramsPlace {
  const named = Object.hasOwn(CLUSTER_MONIKERS, text) ? CLUSTER_MONIKERS[text] : undefined;
  if (named === undefined && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { kind: 'folder', folder: text };
  const url = named ?? text;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new RangeError('must be a folder, the name of a cluster (devnet, mainnet) or an http(s) URL');
  }
  requireReadableUser(new URL(url));
  return { kind: 'cluster', url: new Secret(new URL(url)) };
}
