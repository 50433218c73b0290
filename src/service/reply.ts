/**
 * An HTTP answer as data. `content-length` is derived from the body; a HEAD request gets it without the body.
 */
export interface Reply {
  readonly status: number;
  /** The text of the answer, or the bytes of a file. */
  readonly body?: string | Buffer;
  readonly contentType?: string;
  /** Further headers: name, value, name, value. */
  readonly headers?: readonly string[];
  /** Whether the connection closes after this answer, because the rest of the request is not read. */
  readonly isLast?: boolean;
}

/** A 200 answer with a JSON text. */
export function jsonReply(body: string): Reply {
  return { status: 200, body, contentType: 'application/json' };
}
