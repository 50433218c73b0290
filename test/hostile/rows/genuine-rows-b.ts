import type { Row } from '../row.ts';
import { aloneOfB, HOSTS_B, type HostNameB } from '../world/hosts-b.ts';
import type { WorldB } from '../world/world-b.ts';

/** Unchanged transactions of layout B, which must not raise an alarm. The missing simulation is reported. */
export const GENUINE_ROWS_B: readonly Row<WorldB>[] = (Object.keys(HOSTS_B) as HostNameB[]).map((host) => ({
  name: `layout B ${host}, as it is built`,
  make: HOSTS_B[host],
  alone: aloneOfB(host),
  asked: ['yes', 'unverifiable'],
}));
