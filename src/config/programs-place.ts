import { CLUSTER_MONIKERS } from './cluster-monikers.ts';
import { Secret } from './secret.ts';
import { requireReadableUser } from './url-user.ts';

/** Where the programs of localnet are taken from. */
type ProgramsPlace =
  | { readonly kind: 'folder'; readonly folder: string }
  /** The RPC of a cluster. Its URL may carry a key. */
  | { readonly kind: 'cluster'; readonly url: Secret<URL> };

/** A cluster's name or an http(s) URL; anything else is a folder. */
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
