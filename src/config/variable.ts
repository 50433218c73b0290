import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isLoopback } from './exposure.ts';
import { readSecretFile, Secret } from './secret.ts';

/** A network in CIDR notation. */
export interface Network {
  readonly address: string;
  /** Prefix length, 1 to 32 (IPv4) or 128 (IPv6). */
  readonly prefix: number;
}

/**
 * Rejects a URL whose user or password is not percent-encoded UTF-8.
 *
 * @throws {RangeError} with a message that completes "<NAME> ..." and does not quote the URL.
 */
export function requireReadableUser({ username, password }: URL): void {
  try {
    decodeURIComponent(username);
    decodeURIComponent(password);
  } catch {
    throw new RangeError('must encode each % in its user and password as %25');
  }
}

/*
 * The parsers do not use zod. Its numbers, URLs and networks accept invalid settings (`1e3`, `0x10`, a URL
 * with a path, `10.0.0.0/0`), so each type would still need a pattern and a message. The command line would
 * also load zod at every start.
 */

/** An environment variable. */
export interface Variable<T> {
  readonly name: string;
  /** Text that is parsed if the variable is unset or blank. */
  readonly default: string;
  readonly description: string;
  /** Whether the text is secret. Errors do not quote it. */
  readonly isSecret?: boolean;
  /** Parses the trimmed text. Throws a RangeError whose message completes "<NAME> ...". */
  readonly parse: (text: string) => T;
}

/** Accepts any text. */
export const parseText = (text: string): string => text;

/** Minimum length of a secret from which others are derived, in characters. */
export const LONG_TEXT_MIN = 32;

/** Reads a secret that is too long to be guessed. */
export function parseLongText(text: string): string {
  if (text.length < LONG_TEXT_MIN) throw new RangeError(`must have at least ${LONG_TEXT_MIN} characters`);
  return text;
}

/** Reads a whole number from `min` to `max`. */
export const parseInteger =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new RangeError(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };

/** Reads an amount of SOL with up to nine decimals; returns lamports. */
export function parseSol(text: string): bigint {
  const [, whole = '', fraction = ''] = /^(\d{1,11})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === '')
    throw new RangeError('must be an amount in SOL with at most nine decimals, such as 2 or 0.5');
  return BigInt(whole + fraction.padEnd(9, '0'));
}

/** Reads one of several words, in any case. */
export const parseChoice =
  <Choice extends string>(choices: readonly Choice[]) =>
  (text: string): Choice => {
    const choice = choices.find((candidate) => candidate === text.toLowerCase());
    if (choice === undefined) throw new RangeError(`must be one of: ${choices.join(', ')}`);
    return choice;
  };

/** Reads `on` or `1` as true, and `off` or `0` as false. */
export const parseSwitch = (text: string): boolean => {
  if (text === '1' || text === '0') return text === '1';
  return parseChoice(['on', 'off'])(text) === 'on';
};

/** Applies `parse`, or returns null for the empty text. */
export const parseOptional =
  <T>(parse: (text: string) => T) =>
  (text: string): T | null =>
    text === '' ? null : parse(text);

/** Reads texts separated by commas; an empty list for the empty text. */
export const parseList =
  <Item>(parseItem: (text: string) => Item) =>
  (text: string): readonly Item[] =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(parseItem);

/** Wraps the result of `parse` in a {@link Secret}. */
export const parseSecret =
  <T>(parse: (text: string) => T) =>
  (text: string): Secret<T> =>
    new Secret(parse(text));

/** Reads a secret file that only its owner can open. */
export const parseSecretFile = (path: string): Secret<string> => new Secret(readSecretFile(path));

/** Reads a file that is not secret. */
export function parseTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RangeError(`names a file that cannot be read (${code ?? 'unknown reason'})`, { cause: error });
  }
}

/** Reads a host name or an IP address, without a port. */
export function parseHostName(text: string): string {
  const isIpv6 = /^\[?[0-9a-fA-F:]*::?[0-9a-fA-F:]*\]?$/.test(text);
  if (!isIpv6 && !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)) {
    throw new RangeError('must be a host name or an IP address, without scheme and port');
  }
  return text;
}

/** Reads an IP address or a network in CIDR notation. Rejects `/0`, which would trust everyone. */
export function parseNetwork(text: string): Network {
  const [, address = '', given] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = isIP(address) === 4 ? 32 : 128;
  const prefix = given === undefined ? bits : Number(given);
  if (isIP(address) === 0 || prefix < 1 || prefix > bits) {
    throw new RangeError('must be IP addresses or networks such as 10.0.0.0/8, separated by commas');
  }
  return { address, prefix };
}

/** Reads a host name or an IP address (IPv6 in brackets), with or without a port. */
export function parseHost(text: string): string {
  if (!/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)(:\d{1,5})?$/.test(text)) {
    throw new RangeError('must be a host such as rpc.example.com or 127.0.0.1:8899, without scheme and path');
  }
  return text;
}

/** Reads an http(s) URL. The error does not quote it, because it may contain a key. */
export function parseHttpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new RangeError('must be an http(s) URL, or several separated by commas');
  }
  requireReadableUser(url);
  return url;
}

/** Reads a ws(s) URL, without its fragment, which no WebSocket has (RFC 6455 section 3). */
export function parseWebSocketUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^wss?:$/.test(url.protocol)) {
    throw new RangeError('must be a ws(s) URL, or several separated by commas');
  }
  requireReadableUser(url);
  url.hash = '';
  return url;
}

/** Reads a URL with one of several schemes. The error does not quote it, because it may have a password. */
export const parseUrlOf =
  (...schemes: readonly string[]) =>
  (text: string): string => {
    const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : '';
    if (!schemes.includes(scheme)) throw new RangeError(`must be a URL that starts with ${schemes[0]}://`);
    return text;
  };

/** Reads an http(s) URL that is not secret. */
export const parseShownUrl = (text: string): string => {
  const url = parseHttpUrl(text);
  if (url.username !== '' || url.password !== '') throw new RangeError('must not have a user or a password');
  return text;
};

/**
 * Reads an issuer identifier (RFC 8414 section 2): an https URL without query and fragment. A loopback
 * address may use http. The text is not normalized, because tokens must contain exactly the same text.
 */
export function parseIssuer(text: string): string {
  const { protocol, hostname, search, hash } = new URL(parseShownUrl(text));
  const isOwn = protocol === 'http:' && isLoopback(hostname.replaceAll(/[[\]]/g, ''));
  if ((protocol !== 'https:' && !isOwn) || search + hash !== '') {
    throw new RangeError(
      'must be an https URL without query and fragment, such as https://login.example.com',
    );
  }
  return text;
}

/** Reads the name of a JSON-RPC method, or `*` for all methods. */
export function parseMethodName(text: string): string {
  if (!/^(\*|[A-Za-z][A-Za-z0-9_]{0,63})$/.test(text)) {
    throw new RangeError('must be names of methods separated by commas, or * for all');
  }
  return text;
}

/** Reads a base58 address, or null for `none`. The caller checks its length. */
export const parseAddressText = (text: string): string | null =>
  text.toLowerCase() === 'none' ? null : parseBase58(text);

/** Reads a base58 address. The caller checks its length. */
export function parseBase58(text: string): string {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) throw new RangeError('must be a base58 Solana address');
  return text;
}

/** Reads an origin in the form that browsers send: scheme, host and port. */
export function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.origin !== text.replace(/\/$/, '')) {
    throw new RangeError('must be an origin such as https://app.example, without a path');
  }
  return url.origin;
}
