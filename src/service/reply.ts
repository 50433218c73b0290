/** An HTTP response as data. `content-length` is computed from the body, even for HEAD. */
export interface Reply {
  readonly status: number;
  /** The response body: text, or the bytes of a file. */
  readonly body?: string | Buffer;
  readonly contentType?: string;
  /** Further headers: name, value, name, value. */
  readonly headers?: readonly string[];
  /** Whether the connection closes after this response, because the rest of the request is not read. */
  readonly isLast?: boolean;
}

/** Creates a 200 response with a JSON text. */
export function jsonReply(body: string): Reply {
  return { status: 200, body, contentType: 'application/json' };
}

/** Headers that prevent caching for other callers, and sniffing of JSON as HTML. */
export const NO_STORE = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'] as const;
