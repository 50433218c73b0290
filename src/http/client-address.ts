import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';
import type { Network } from '../config/variable.ts';

/** The prefix of an IPv4 address on a dual-stack socket (RFC 4291 section 2.5.5.2). */
const MAPPED_PREFIX = '::ffff:';

/**
 * Returns the key that identifies a client: its IPv4 address, or the /64 network of its IPv6 address. One
 * client usually has a whole /64 network (RFC 6177). Returns `unknown` if there is no address.
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

/** Returns the key of the client that sent a request (`clientOf`). */
export type ClientFinder = (request: IncomingMessage) => string;

/** Identifies a client by the address of its connection. Use it for listeners without a trusted proxy. */
export const findPeer: ClientFinder = ({ socket }) => clientOf(socket.remoteAddress);

/**
 * Creates a finder for clients behind trusted proxies. It starts at the address of the connection and reads
 * `X-Forwarded-For` (or `Forwarded`, RFC 7239) from the end, up to the first untrusted address. Clients can
 * forge everything before that address. If both headers exist and disagree, one is not from the proxy, so the
 * finder uses the address of the connection.
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

/** Returns the first untrusted address, or the last known one if all are trusted. */
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

/** Splits a header, last element first. Ignores quotes: an unclosed one must not hide what a proxy adds. */
function nearestFirst(header: string): string[] {
  return header.split(',').toReversed();
}

/** Returns the `for` parameter of a `Forwarded` element; empty if there is none. */
function forOf(element: string): string {
  return /(?:^|;)\s*for="?([^";]*)"?\s*(?:;|$)/i.exec(element)?.[1] ?? '';
}

/** Returns the address of a node without its port; undefined for `unknown` and obfuscated names. */
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
