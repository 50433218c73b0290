import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Network } from '../config/network.ts';
import { clientOf } from './client-address.ts';

/** Returns the key of the client of a request, as `clientOf` does. */
export type ClientFinder = (request: IncomingMessage) => string;

/** Takes the address of the connection for the client: there is no trusted proxy. */
export const findPeer: ClientFinder = ({ socket }) => clientOf(socket.remoteAddress);

/**
 * Finds the client behind trusted proxies. `X-Forwarded-For` (or `Forwarded`, RFC 7239) is read from the end,
 * starting with the address of the connection, up to the first address that is not trusted: everything before
 * it could be forged. If both headers exist and disagree, one of them is not from the proxy, and the address
 * of the connection counts.
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

/** The addresses in each header, nearest node first. */
function chainsOf(headers: IncomingHttpHeaders): string[][] {
  const chains: string[][] = [];
  const xForwardedFor = headers['x-forwarded-for'];
  if (xForwardedFor !== undefined) chains.push(nearestFirst(String(xForwardedFor)));
  const { forwarded } = headers;
  if (forwarded !== undefined) chains.push(nearestFirst(forwarded).map(forOf));
  return chains;
}

/** Splits at commas alone: an open quote sent by a client must not swallow what a proxy appends. */
function nearestFirst(header: string): string[] {
  return header.split(',').toReversed();
}

/** The `for` parameter of an element of `Forwarded`; empty where there is none. */
function forOf(element: string): string {
  return /(?:^|;)\s*for="?([^";]*)"?\s*(?:;|$)/i.exec(element)?.[1] ?? '';
}

/**
 * The address of a node, which may have a port; undefined for `unknown`, hidden names and whatever else is no
 * address.
 */
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
