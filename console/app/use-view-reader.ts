import { useMemo } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import type { Reader } from '../parts/reader.ts';
import { createViewReader } from '../readers/view-reader.ts';

/** The reader of the present viewpoint: another object when somebody else looks, so that views ask anew. */
export function useViewReader(): Reader {
  const { readers, feeds, viewpoint, looking } = useConsole();
  const [as, wallet] = [viewpoint.value, looking.value];
  return useMemo(() => createViewReader(readers, feeds, as, wallet), [readers, feeds, as, wallet]);
}
