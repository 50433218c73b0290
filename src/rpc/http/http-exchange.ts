import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBearerToken } from '../../http/bearer-token.ts';
import { ACCEPTED_ENCODING } from '../../http/body.ts';
import { type ClientFinder, findPeer } from '../../http/client-address.ts';
import { endAfterRequest, leaveWhenTaken } from '../../http/delivery.ts';
import type { InFlight } from '../../http/in-flight.ts';
import type { LongText } from '../../json/long-text.ts';
import type { Answer } from '../envelope.ts';

/** The response to a request that is rejected before its JSON-RPC is parsed. */
export interface HttpRefusal {
  readonly status: number;
  readonly text: string;
  /** Header names and values, alternating. */
  readonly headers?: readonly string[];
}

/** Statuses and texts match jsonrpc-http-server 18, which Agave uses. */
export const FOREIGN_HOST: HttpRefusal = { status: 403, text: 'Provided Host header is not whitelisted.\n' };

/** Browsers send the origin `null` for files and for sandboxed frames of any site. */
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

/** Rejects a compressed body, which is not read. */
export const ENCODED_BODY: HttpRefusal = {
  status: 415,
  text: 'Content-Encoding must be absent or identity; send the body uncompressed\n',
  headers: ACCEPTED_ENCODING,
};

export const BODY_TOO_LARGE: HttpRefusal = { status: 413, text: 'request body size exceeds allowed maximum' };

/** @param byteIndex length of the valid prefix, in bytes. */
export const notUtf8 = (byteIndex: number): HttpRefusal => ({
  status: 400,
  text: `utf-8 encoding error at byte ${byteIndex} in request body`,
});

/** Time for which a browser may cache a preflight response, in seconds (Agave `rpc_service.rs`). */
const MAX_AGE_SECONDS = 86_400;

/** The HTTP methods of JSON-RPC, in Agave's spelling. */
export const ALLOWED_METHODS = 'OPTIONS, POST';

const NO_HEADERS: readonly string[] = [];

/**
 * Returns the headers that allow any web page to read the answer, as alternating names and values. Solana
 * nodes are open to all origins. A request without an origin gets none of these headers.
 *
 * @param methods the HTTP methods that are served.
 */
function corsHeaders({ headers }: IncomingMessage, methods: string): readonly string[] {
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return NO_HEADERS;
  const requested = headers['access-control-request-headers'];
  return [
    'vary',
    'origin',
    'access-control-allow-methods',
    methods,
    'access-control-allow-origin',
    origin,
    'access-control-max-age',
    String(MAX_AGE_SECONDS),
    ...(requested === undefined ? NO_HEADERS : ['access-control-allow-headers', requested]),
  ];
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Length from which texts are sent as bytes, in characters. */
const LONG_LENGTH = 512;

/** One request and its response, which any web page may read. */
export class HttpExchange {
  readonly request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #methods: string;
  readonly #findClient: ClientFinder;
  #address: string | undefined;

  /**
   * @param methods the HTTP methods reported to browsers.
   * @param findClient identifies the client; default: by the address of its connection.
   */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    methods: string = ALLOWED_METHODS,
    findClient: ClientFinder = findPeer,
  ) {
    this.request = request;
    this.#response = response;
    this.#methods = methods;
    this.#findClient = findClient;
  }

  refuse({ status, text, headers }: HttpRefusal): void {
    this.send(status, TEXT_TYPE, text, headers);
  }

  /** Rejects a request while its body is still arriving. The client can still read the reason. */
  refuseRest({ status, text }: HttpRefusal): void {
    this.#writeHead(status, TEXT_TYPE, Buffer.byteLength(text), ['connection', 'close']);
    endAfterRequest(this.request, this.#response, text);
  }

  /** Rejects an invalid token in the format of the login service (RFC 6750 section 3). */
  refuseToken(): void {
    this.send(401, JSON_TYPE, BAD_TOKEN, ['www-authenticate', 'Bearer error="invalid_token"']);
  }

  /** Sends head and body in one write. Returns the body's size. `headers` alternates names and values. */
  send(status: number, contentType: string, body: string | Buffer, headers: readonly string[] = []): number {
    const byteCount = Buffer.byteLength(body);
    this.#writeHead(status, contentType, byteCount, headers);
    this.#response.end(body);
    return byteCount;
  }

  /** The key of the client (`clientOf`). */
  get address(): string {
    this.#address ??= this.#findClient(this.request);
    return this.#address;
  }

  /** Whether the client has stopped waiting for the answer. */
  isGone(): boolean {
    return this.request.socket.destroyed;
  }

  /**
   * Sends the answer to a request in flight. The request ends once the client has received it. Non-empty
   * answers end with a line feed, for curl users.
   */
  deliver(answer: Answer, inFlight: InFlight): void {
    const byteCount = typeof answer === 'string' ? this.#sendText(answer) : this.#sendPieces(answer);
    leaveWhenTaken(inFlight, this.address, this.request, this.#response, byteCount);
  }

  /** Sends the text and returns the size of the body, in bytes. */
  #sendText(answer: string): number {
    const text = answer === '' ? '' : `${answer}\n`;
    // Encodes long texts once. node:http would measure the string, append it to the head and encode both.
    const body = text.length < LONG_LENGTH ? text : Buffer.from(text);
    return this.send(200, JSON_TYPE, body);
  }

  #sendPieces(answer: LongText): number {
    const { pieces, byteCount } = answer.append('\n').toPieces();
    this.#writeHead(200, JSON_TYPE, byteCount, []);
    // Corking sends head and pieces in as few system calls as possible.
    this.#response.cork();
    for (const piece of pieces) this.#response.write(piece);
    this.#response.end();
    return byteCount;
  }

  #writeHead(status: number, contentType: string, byteCount: number, headers: readonly string[]): void {
    this.#response.writeHead(status, [
      'content-type',
      contentType,
      'content-length',
      String(byteCount),
      ...headers,
      ...corsHeaders(this.request, this.#methods),
    ]);
  }
}

const BAD_TOKEN = '{"error":"the token is invalid on this rollup or has expired; log in again"}\n';

/**
 * Reads the token of a request from `Authorization: Bearer <token>`, or else from `?token=` in the URL.
 * Returns null if there is none. MagicBlock's clients use the URL, as browsers must for a WebSocket. A token
 * in the URL ends at a slash, because MagicBlock's SDK appends the path of getDelegationStatus to the whole
 * URL.
 */
export function requestToken({ headers, url = '' }: IncomingMessage): string | null {
  const bearer = readBearerToken(headers.authorization);
  if (bearer !== undefined) return bearer;
  const queryAt = url.indexOf('?');
  const token = queryAt < 0 ? null : new URLSearchParams(url.slice(queryAt)).get('token');
  return token?.split('/', 1)[0] || null;
}
