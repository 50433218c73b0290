import { readBody } from '../http/body.ts';
import { workTogether } from '../http/turn.ts';
import { readPlainJson, type JsonFault } from '../json/plain-json.ts';
import {
  BODY_NOT_JSON,
  bodyTooDeep,
  bodyTooLarge,
  ENCODED_BODY,
  memberRepeated,
  UNSUPPORTED_MEDIA_TYPE,
  type Refusal,
} from './refusal.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Deepest nesting of a request body. What the service takes nests five levels; the rest is room for `_meta`.
 */
const JSON_DEPTH_MAX = 64;

/** Refuses bytes that are not UTF-8 instead of replacing them, and drops a byte order mark. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request as JSON and hands the value to `use`; answers the request itself, in this
 * order, when the content type is not JSON or the body compressed (415), the body is over `bytesMax` (413),
 * not JSON in UTF-8, nested too deep or ambiguous (400).
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
    workTogether(context.client, () =>
      context.attempt(() => {
        const { value, refusal } = readJson(body);
        return refusal === undefined ? use(value) : context.refuse(refusal);
      }),
    );
  });
}

/**
 * The value of a JSON text in UTF-8 ({@link readPlainJson}), or why it is not taken: it is none, nested too
 * deep, or an object in it names a member twice, of which nobody can tell which one is meant.
 */
export function readJson(bytes: Uint8Array): { readonly value?: unknown; readonly refusal?: Refusal } {
  const text = decode(bytes);
  if (text === undefined) return { refusal: BODY_NOT_JSON };
  const json = readPlainJson(text, JSON_DEPTH_MAX);
  return json.fault === undefined ? json : { refusal: refusalOf(json.fault) };
}

function refusalOf(fault: JsonFault): Refusal {
  if (fault.kind === 'syntax') return BODY_NOT_JSON;
  return fault.kind === 'depth' ? bodyTooDeep(JSON_DEPTH_MAX) : memberRepeated(fault.name);
}

/**
 * Whether a `Content-Type` is `application/json`, whatever its parameters: JSON text is UTF-8 (RFC 8259
 * section 8.1).
 */
function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

/** The text of UTF-8 bytes, or undefined when they are something else. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
