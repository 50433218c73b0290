import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';
import type { Network } from '../config/variable.ts';

/** An IPv4 address on a dual-stack socket (RFC 4291 section 2.5.5.2). */
const MAPPED_PREFIX = '::ffff:';

/**
 * Returns the key of a client in tables: an IPv4 address, or the /64 network of an IPv6 address, because one
 * client usually has all addresses of such a network (RFC 6177). `unknown` if there is no address.
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

/** Returns the key of the client of a request, see `clientOf`. */
export type ClientFinder = (request: IncomingMessage) => string;

/** Uses the address of the connection, because there is no trusted proxy. */
export const findPeer: ClientFinder = ({ socket }) => clientOf(socket.remoteAddress);

/**
 * Finds the client behind trusted proxies. `X-Forwarded-For` (or `Forwarded`, RFC 7239) is read from the end,
 * starting with the address of the connection, up to the first untrusted address. Everything before it could
 * be forged. If both headers exist and disagree, one of them is not from the proxy, so the address of the
 * connection is used.
 */
export function createClientFinder(trustedProxies: readonly Network[]): ClientFinder {
  if (trustedProxies.length === 0) return findPeer;
  const trusted = new BlockList();
  for (const { address, prefix } of trustedProxies) trusted.addSubnet(address, prefix, familyOf(address));
  const isTrusted = (address: string): boolean => trusted.check(address, familyOf(address));
  return ({ socket, headers }) => {
    const peer = readNode(socket.remoteAddress ?? '');
    if (peer === undefined || !isTrusted(peer)) return clientOf(socket.remoteAddress);
    const [client = peer, ...others] = new Set(
      chainsOf(headers).map((chain) => follow(peer, chain, isTrusted)),
    );
    return clientOf(others.length === 0 ? client : peer);
  };
}

/** The first untrusted address; if all are trusted, the last known one. */
function follow(peer: string, chain: readonly string[], isTrusted: (address: string) => boolean): string {
  let address = peer;
  for (const node of chain) {
    const next = readNode(node);
    if (next === undefined) return address;
    address = next;
    if (!isTrusted(address)) return address;
  }
  return address;
}

function chainsOf(headers: IncomingHttpHeaders): string[][] {
  const chains: string[][] = [];
  const xForwardedFor = headers['x-forwarded-for'];
  if (xForwardedFor !== undefined) chains.push(nearestFirst(String(xForwardedFor)));
  const { forwarded } = headers;
  if (forwarded !== undefined) chains.push(nearestFirst(forwarded).map(forOf));
  return chains;
}

/** Ignores quotes, because an open quote from a client must not hide what a proxy appends. */
function nearestFirst(header: string): string[] {
  return header.split(',').toReversed();
}

/** The `for` parameter of an element of `Forwarded`; empty if there is none. */
function forOf(element: string): string {
  return /(?:^|;)\s*for="?([^";]*)"?\s*(?:;|$)/i.exec(element)?.[1] ?? '';
}

/** The address of a node, without its port; undefined for `unknown` and obfuscated names. */
function readNode(node: string): string | undefined {
  const text = node.trim();
  const match = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+)(?::\d+)?$/.exec(text);
  const address = (match?.[1] ?? text).split('%', 1)[0] ?? '';
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  return isIP(plain) === 0 ? undefined : plain;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
