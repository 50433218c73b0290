/** An HTTP answer as data. `content-length` follows from the body; HEAD requests get it without the body. */
export interface Reply {
  readonly status: number;
  /** The text of the answer, or its beginning where there is a `rest`. */
  readonly body?: string;
  /** What follows `body`: bytes made once for many answers, which leave as they are. Not with `isLast`. */
  readonly rest?: Buffer;
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
