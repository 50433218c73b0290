import { useMemo } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import type { Viewpoint, Reader } from '../parts/reader.ts';
import { createViewReader } from '../readers/readers.ts';

/** The viewpoint that a URL requests; null if it requests none. */
export function viewpointOf(search: string): Viewpoint | null {
  const as = new URLSearchParams(search).get('as');
  return as === 'base' || as === 'anyone' || as === 'owner' ? as : null;
}

/** The viewpoint of an opened URL. The owner's needs a token in this tab; without one it is `anyone`. */
export function effectiveViewpoint(requested: Viewpoint | null, hasOwner: boolean): Viewpoint {
  if (requested === null) return hasOwner ? 'owner' : 'anyone';
  return requested === 'owner' && !hasOwner ? 'anyone' : requested;
}

/** Returns a path and query with a different viewpoint. */
export function withViewpoint(path: string, search: string, as: Viewpoint): string {
  const query = new URLSearchParams(search);
  query.set('as', as);
  return `${path}?${query.toString()}`;
}

/** The reader of the current viewpoint. Views load again when it changes. */
export function useViewReader(): Reader {
  const { readers, feeds, viewpoint, looking } = useConsole();
  const [as, wallet] = [viewpoint.value, looking.value];
  return useMemo(() => createViewReader(readers, feeds, as, wallet), [readers, feeds, as, wallet]);
}
