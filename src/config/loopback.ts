import { BlockList, isIP } from 'node:net';

/** RFC 6890: 127.0.0.0/8, also in its IPv4-mapped form, and ::1. */
const LOOPBACK_ADDRESSES = new BlockList();
LOOPBACK_ADDRESSES.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK_ADDRESSES.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');
LOOPBACK_ADDRESSES.addAddress('::1', 'ipv6');

/** Whether only this machine can reach a listener bound to `host`. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK_ADDRESSES.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
