import type { Row } from '../row.ts';
import { aloneOfB, HOSTS_B, type HostNameB } from '../world/hosts-b.ts';
import type { WorldB } from '../world/world-b.ts';

/**
 * What operations build on layout B, untouched: no alarm may be raised. That nothing can be tried there is
 * told of.
 */
export const GENUINE_ROWS_B: readonly Row<WorldB>[] = (Object.keys(HOSTS_B) as HostNameB[]).map((host) => ({
  name: `layout B ${host}, as it is built`,
  make: HOSTS_B[host],
  alone: aloneOfB(host),
  asked: ['yes', 'unverifiable'],
}));
