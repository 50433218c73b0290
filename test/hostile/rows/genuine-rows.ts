import { CLEAR, type Row } from '../row.ts';
import { HOSTS, type HostName } from '../world/hosts.ts';

/** What operations build, untouched: no alarm may be raised. */
export const GENUINE_ROWS: readonly Row[] = (Object.keys(HOSTS) as HostName[]).map((host) => ({
  name: `${host}, as it is built`,
  make: HOSTS[host],
  alone: CLEAR,
  asked: ['yes'],
}));
