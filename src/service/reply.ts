/** An HTTP answer as data. `content-length` follows from the body; HEAD requests get it without the body. */
export interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly contentType?: string;
  /** Further headers: name, value, name, value. */
  readonly headers?: readonly string[];
  /** Whether the connection ends with this answer, because the rest of the request is not wanted. */
  readonly isLast?: boolean;
}

/** 200 with a JSON text. */
export function jsonReply(body: string): Reply {
  return { status: 200, body, contentType: 'application/json' };
}
