import type { Viewpoint } from '../parts/reader.ts';

/** Who a URL says is looking; null where it does not say. */
export function viewpointOf(search: string): Viewpoint | null {
  const as = new URLSearchParams(search).get('as');
  return as === 'base' || as === 'anybody' || as === 'owner' ? as : null;
}

/** Who looks when a URL is opened: the owner only where this tab has a token, else anybody. */
export function effectiveViewpoint(asked: Viewpoint | null, hasOwner: boolean): Viewpoint {
  if (asked === null) return hasOwner ? 'owner' : 'anybody';
  return asked === 'owner' && !hasOwner ? 'anybody' : asked;
}

/** A path and query as another viewpoint. */
export function withViewpoint(path: string, search: string, as: Viewpoint): string {
  const query = new URLSearchParams(search);
  query.set('as', as);
  return `${path}?${query.toString()}`;
}
