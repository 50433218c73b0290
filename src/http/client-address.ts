import { isIPv4 } from 'node:net';

/** RFC 4291 section 2.5.5.2: an IPv4 address as a dual-stack socket shows it. */
const MAPPED_PREFIX = '::ffff:';

/**
 * The key of a client in a table: an IPv4 address, or the /64 network of an IPv6 address, since one client
 * usually has all addresses of such a network (RFC 6177). An unknown address is `unknown`.
 */
export function clientOf(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return 'unknown';
  const address = remoteAddress.startsWith(MAPPED_PREFIX)
    ? remoteAddress.slice(MAPPED_PREFIX.length)
    : remoteAddress;
  return isIPv4(address) ? address : networkOf(remoteAddress);
}

function networkOf(address: string): string {
  const [before = '', after] = (address.split('%', 1)[0] ?? '').split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}
