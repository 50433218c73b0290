import { readBody } from '../http/body.ts';
import { workTogether } from '../http/turn.ts';
import { type JsonFault, readPlainJson } from '../json/plain-json.ts';
import {
  BODY_EMPTY,
  BODY_NOT_JSON,
  bodyTooDeep,
  bodyTooLarge,
  ENCODED_BODY,
  memberRepeated,
  type Refusal,
  UNSUPPORTED_MEDIA_TYPE,
} from './refusal.ts';
import type { RequestContext } from './request-context.ts';

/** Maximum nesting of a request body. Inputs nest five levels; `_meta` may nest deeper. */
const JSON_DEPTH_MAX = 64;

/** Rejects invalid UTF-8 and drops a byte order mark. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request as JSON and passes the value to `use`. Responds with 415 for a different
 * content type or a compressed body, 413 above `bytesMax`, and 400 for a body that is not UTF-8 JSON, nests
 * too deeply or repeats a member. The checks run in this order.
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
    context.noteBody(body.length);
    workTogether(context.client, () =>
      context.attempt(() => {
        const { value, refusal } = readJson(body);
        return refusal === undefined ? use(value) : context.refuse(refusal);
      }),
    );
  });
}

/**
 * Parses a UTF-8 JSON text with {@link readPlainJson}. Returns the value, or the refusal if it is not JSON,
 * nests too deeply or repeats a member.
 */
export function readJson(bytes: Uint8Array): { readonly value?: unknown; readonly refusal?: Refusal } {
  if (bytes.length === 0) return { refusal: BODY_EMPTY };
  const text = decode(bytes);
  if (text === undefined) return { refusal: BODY_NOT_JSON };
  const json = readPlainJson(text, JSON_DEPTH_MAX);
  return json.fault === undefined ? json : { refusal: refusalOf(json.fault) };
}

function refusalOf(fault: JsonFault): Refusal {
  if (fault.kind === 'syntax') return BODY_NOT_JSON;
  return fault.kind === 'depth' ? bodyTooDeep(JSON_DEPTH_MAX) : memberRepeated(fault.name);
}

/** Whether a content type is JSON. Ignores parameters: JSON is always UTF-8 (RFC 8259 section 8.1). */
function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

/** Decodes UTF-8 bytes; undefined if they are invalid. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
