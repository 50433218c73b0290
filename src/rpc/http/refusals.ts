import { ACCEPTED_ENCODING } from '../../http/body.ts';

/** A request refused before it is read as JSON-RPC. */
export interface HttpRefusal {
  readonly status: number;
  readonly text: string;
  /** Alternating names and values. */
  readonly headers?: readonly string[];
}

/** Statuses and texts are those of jsonrpc-http-server 18, which Agave uses. */
export const FOREIGN_HOST: HttpRefusal = { status: 403, text: 'Provided Host header is not whitelisted.\n' };

/** Sent by a page without an origin of its own: a file, or a sandboxed frame of any site. */
export const NULL_ORIGIN: HttpRefusal = {
  status: 403,
  text: 'Origin of the request is not whitelisted. CORS headers would not be sent and any side-effects were cancelled as well.\n',
};

export const WRONG_METHOD: HttpRefusal = {
  status: 405,
  text: 'Used HTTP Method is not allowed. POST or OPTIONS is required\n',
};

export const WRONG_CONTENT_TYPE: HttpRefusal = {
  status: 415,
  text: 'Supplied content type is not allowed. Content-Type: application/json is required\n',
};

/** The body is compressed. It is not read. */
export const ENCODED_BODY: HttpRefusal = {
  status: 415,
  text: 'Content-Encoding must be left out or identity: send the body as it is\n',
  headers: ACCEPTED_ENCODING,
};

export const BODY_TOO_LARGE: HttpRefusal = { status: 413, text: 'request body size exceeds allowed maximum' };

/** @param byteIndex length of the valid prefix, in bytes. */
export const notUtf8 = (byteIndex: number): HttpRefusal => ({
  status: 400,
  text: `utf-8 encoding error at byte ${byteIndex} in request body`,
});
