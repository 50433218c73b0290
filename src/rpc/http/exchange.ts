import type { IncomingMessage, ServerResponse } from 'node:http';
import { endAfterRequest } from '../../http/linger.ts';
import { ALLOWED_METHODS, corsHeaders } from './cors.ts';
import type { Refusal } from './refusals.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** One request and its response, which any web page may read. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #methods: string;

  /** @param methods what browsers are told is served here. */
  constructor(request: IncomingMessage, response: ServerResponse, methods: string = ALLOWED_METHODS) {
    this.request = request;
    this.#response = response;
    this.#methods = methods;
  }

  refuse({ status, text }: Refusal): void {
    this.send(status, TEXT_TYPE, text);
  }

  /** Refuses a request whose body is still coming, so that the client gets to read why. */
  refuseRest({ status, text }: Refusal): void {
    this.#writeHead(status, TEXT_TYPE, text, ['connection', 'close']);
    endAfterRequest(this.request, this.#response, text);
  }

  /** Refuses a token that is no good, in the form the login service refuses in (RFC 6750 section 3). */
  refuseToken(): void {
    this.send(401, JSON_TYPE, BAD_TOKEN, ['www-authenticate', 'Bearer error="invalid_token"']);
  }

  /** Head and body in one write. `headers` are further names and values in turn. */
  send(status: number, contentType: string, text: string, headers: readonly string[] = []): void {
    this.#writeHead(status, contentType, text, headers);
    this.#response.end(text);
  }

  #writeHead(status: number, contentType: string, text: string, headers: readonly string[]): void {
    this.#response.writeHead(status, [
      'content-type',
      contentType,
      'content-length',
      String(Buffer.byteLength(text)),
      ...headers,
      ...corsHeaders(this.request, this.#methods),
    ]);
  }
}

const BAD_TOKEN = '{"error":"the token is not one of this rollup, or has expired; log in again"}\n';
