import { readBody } from '../http/body.ts';
import { workTogether } from '../http/turn.ts';
import {
  BODY_NOT_JSON,
  bodyTooDeep,
  bodyTooLarge,
  ENCODED_BODY,
  UNSUPPORTED_MEDIA_TYPE,
  type Refusal,
} from './refusal.ts';
import type { RequestContext } from './request-context.ts';

/** Deepest nesting of a request body. What the service takes nests five levels; the rest is room for `_meta`. */
export const JSON_DEPTH_MAX = 64;

/** Refuses bytes that are not UTF-8 instead of replacing them, and drops a byte order mark. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request as JSON and hands the value to `use`; answers the request itself, in this order, when
 * the content type is not JSON or the body compressed (415), the body is over `bytesMax` (413), not JSON in UTF-8 or nested too deep (400).
 */
export function readJsonBody(
  context: RequestContext,
  bytesMax: number,
  use: (value: unknown) => void | Promise<void>,
): void {
  if (!isJson(context.headers['content-type'])) {
    context.refuse(UNSUPPORTED_MEDIA_TYPE);
    return;
  }
  readBody(context.request, bytesMax, (body, fault) => {
    if (fault === 'aborted') return;
    if (fault === 'encoded') {
      context.refuse(ENCODED_BODY);
      return;
    }
    if (body === undefined) {
      context.refuse(bodyTooLarge(bytesMax));
      return;
    }
    workTogether(() =>
      context.attempt(() => {
        const { value, refusal } = readJson(body);
        return refusal === undefined ? use(value) : context.refuse(refusal);
      }),
    );
  });
}

/**
 * The value of a JSON text in UTF-8, or why it is not taken: it is none, or nested too deep. Of equal keys in an object
 * the last one counts. `__proto__` is a key like any other.
 */
export function readJson(bytes: Uint8Array): { readonly value?: unknown; readonly refusal?: Refusal } {
  const value = parseJson(bytes);
  if (value === undefined) return { refusal: BODY_NOT_JSON };
  return isDeeperThan(value, JSON_DEPTH_MAX) ? { refusal: bodyTooDeep(JSON_DEPTH_MAX) } : { value };
}

/** Whether a `Content-Type` is `application/json`, whatever its parameters: JSON text is UTF-8 (RFC 8259 section 8.1). */
function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

/** The value of a JSON text, or undefined when the bytes are not one. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Whether arrays and objects in `value` nest deeper than `depthMax`. Stops at that depth, so it cannot overflow. */
function isDeeperThan(value: unknown, depthMax: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depthMax === 0) return true;
  for (const member of Object.values(value)) if (isDeeperThan(member, depthMax - 1)) return true;
  return false;
}
