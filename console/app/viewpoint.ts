import { useMemo } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import type { Viewpoint, Reader } from '../parts/reader.ts';
import { createViewReader } from '../readers/readers.ts';

/** Who a URL says is looking; null if it does not say. */
export function viewpointOf(search: string): Viewpoint | null {
  const as = new URLSearchParams(search).get('as');
  return as === 'base' || as === 'anyone' || as === 'owner' ? as : null;
}

/** Who looks when a URL is opened: the owner only where this tab has a token, else anyone. */
export function effectiveViewpoint(requested: Viewpoint | null, hasOwner: boolean): Viewpoint {
  if (requested === null) return hasOwner ? 'owner' : 'anyone';
  return requested === 'owner' && !hasOwner ? 'anyone' : requested;
}

/** A path and query as another viewpoint. */
export function withViewpoint(path: string, search: string, as: Viewpoint): string {
  const query = new URLSearchParams(search);
  query.set('as', as);
  return `${path}?${query.toString()}`;
}

/** The reader of the current viewpoint. A new viewpoint is a new object, so that views load again. */
export function useViewReader(): Reader {
  const { readers, feeds, viewpoint, looking } = useConsole();
  const [as, wallet] = [viewpoint.value, looking.value];
  return useMemo(() => createViewReader(readers, feeds, as, wallet), [readers, feeds, as, wallet]);
}
