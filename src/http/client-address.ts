import { isIPv4 } from 'node:net';

/** RFC 4291 section 2.5.5.2: an IPv4 address as a dual-stack socket shows it. */
const MAPPED_PREFIX = '::ffff:';

/** The address that was asked about last, as one after another asks about the same. */
let lastAddress: string | undefined;
let lastClient = 'unknown';

/**
 * What stands for one client in a table of addresses: an IPv4 address, or the /64 network of an IPv6 address, since
 * whoever has one address of such a network has them all (RFC 6177). An address that is not known is `unknown`.
 */
export function clientOf(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return 'unknown';
  if (remoteAddress !== lastAddress) {
    lastClient = nameOf(remoteAddress);
    lastAddress = remoteAddress;
  }
  return lastClient;
}

function nameOf(remoteAddress: string): string {
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
