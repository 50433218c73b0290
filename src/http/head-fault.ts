import type { IncomingMessage } from 'node:http';
import { HTTP_LIMITS } from './limits.ts';

/** Why a request is refused because of its head, whatever it asks for. */
export interface HeadFault {
  readonly status: number;
  /** What to send instead. */
  readonly text: string;
}

/** Node's own limit silently drops the headers beyond it, possibly an Origin. */
const TOO_MANY_HEADERS: HeadFault = {
  status: 431,
  text: `send at most ${HTTP_LIMITS.headerCountMax} headers\n`,
};

/** RFC 9112 section 3.2. Node uses the first one and hides the others, while a proxy may use the last. */
const SEVERAL_HOSTS: HeadFault = { status: 400, text: 'send one Host header\n' };

/** RFC 9112 section 3.2.2: in the absolute form the target decides, and Host repeats its authority. */
const OTHER_AUTHORITY: HeadFault = {
  status: 400,
  text: 'the request target must be a path, or a URL whose host is the one in the Host header\n',
};

/** What is wrong with the head of a request; undefined when nothing is. */
export function findHeadFault({ rawHeaders, headers, url = '' }: IncomingMessage): HeadFault | undefined {
  if (rawHeaders.length > 2 * HTTP_LIMITS.headerCountMax) return TOO_MANY_HEADERS;
  if (hasSeveralHosts(rawHeaders)) return SEVERAL_HOSTS;
  if (url.startsWith('/') || url === '*') return undefined;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  return authority?.toLowerCase() === headers.host?.toLowerCase() ? undefined : OTHER_AUTHORITY;
}

/** Names and values in turn, as they were sent. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}
