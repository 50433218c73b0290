import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../../http/body.ts';
import type { HostVerdict } from '../../http/host-guard.ts';
import { endAfterRequest } from '../../http/linger.ts';
import type { RequestHandler } from '../../http/server.ts';
import { workTogether, writeTogether } from '../../http/turn.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { findUtf8Fault } from '../json/utf8-fault.ts';
import { ALLOWED_METHODS, corsHeaders } from './cors.ts';
import * as refusals from './refusals.ts';

/** Most bytes of a request body by default (Agave `MAX_REQUEST_BODY_SIZE`, 50 KiB). */
export const BODY_BYTES_MAX = 50 * 1024;

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** What jsonrpc-http-server 18 takes for JSON, whatever the case. */
const JSON_CONTENT_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  JSON_TYPE,
  'application/json;charset=utf-8',
]);

/** What an HTTP face of a ledger node is made of. */
export interface RpcHandlerOptions {
  readonly dispatch: Dispatcher;
  readonly bodyBytesMax?: number;
  /** Judges the host a request is addressed to. Its verdict on origins does not count: Solana nodes are open to all. */
  readonly guard?: (request: IncomingMessage) => HostVerdict;
}

/**
 * Serves JSON-RPC over HTTP as jsonrpc-http-server 18 does, which Agave uses: POST on any path, `GET /health`, and
 * OPTIONS for browsers.
 */
export function createRpcHandler(options: RpcHandlerOptions): RequestHandler {
  const { dispatch, guard, bodyBytesMax = BODY_BYTES_MAX } = options;
  return (request, response) => {
    const exchange = new Exchange(request, response);
    if (guard?.(request) === 'foreign-host') exchange.refuse(refusals.FOREIGN_HOST);
    else if (request.headers.origin === 'null') exchange.refuse(refusals.NULL_ORIGIN);
    else if (request.method === 'POST') exchange.servePost(dispatch, bodyBytesMax);
    else if (request.method === 'OPTIONS') exchange.serveOptions();
    else if (request.method === 'GET' && pathOf(request) === '/health') exchange.send(200, TEXT_TYPE, 'ok');
    else exchange.refuse(refusals.WRONG_METHOD);
  };
}

function pathOf(request: IncomingMessage): string | undefined {
  return request.url?.split('?', 1)[0];
}

/** One request and its response. */
class Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  servePost(dispatch: Dispatcher, bodyBytesMax: number): void {
    const contentType = this.#request.headers['content-type'];
    if (contentType === undefined || !JSON_CONTENT_TYPES.has(contentType.toLowerCase())) {
      this.refuse(refusals.WRONG_CONTENT_TYPE);
      return;
    }
    readBody(this.#request, bodyBytesMax, (body, fault) => {
      // The rest of the body is not read, so the connection cannot be used again.
      if (fault === 'too-large') this.#refuseRest(refusals.BODY_TOO_LARGE);
      else if (body !== undefined) this.#serveBody(dispatch, body);
    });
  }

  serveOptions(): void {
    this.send(200, JSON_TYPE, '', ['allow', ALLOWED_METHODS, 'accept', 'application/json']);
  }

  refuse({ status, text }: refusals.Refusal): void {
    this.send(status, TEXT_TYPE, text);
  }

  /** Head and body in one write. `headers` are further names and values in turn. */
  send(status: number, contentType: string, text: string, headers: readonly string[] = []): void {
    this.#writeHead(status, contentType, text, headers);
    this.#response.end(text);
  }

  /** Refuses a request whose body is still coming, so that the client gets to read why. */
  #refuseRest({ status, text }: refusals.Refusal): void {
    this.#writeHead(status, TEXT_TYPE, text, ['connection', 'close']);
    endAfterRequest(this.#request, this.#response, text);
  }

  #writeHead(status: number, contentType: string, text: string, headers: readonly string[]): void {
    this.#response.writeHead(status, [
      'content-type',
      contentType,
      'content-length',
      String(Buffer.byteLength(text)),
      ...headers,
      ...corsHeaders(this.#request),
    ]);
  }

  #serveBody(dispatch: Dispatcher, body: Buffer): void {
    const utf8Fault = findUtf8Fault(body);
    if (utf8Fault !== undefined) {
      this.refuse(refusals.notUtf8(utf8Fault));
      return;
    }
    workTogether(() => {
      const answer = dispatch(body.toString());
      if (typeof answer === 'string') this.#answer(answer);
      else void answer.then((text) => this.#answer(text));
    });
  }

  /** An answer ends with a line feed, for people with curl; nothing to say is an empty body. */
  #answer(text: string): void {
    writeTogether(() => this.send(200, JSON_TYPE, text === '' ? '' : `${text}\n`));
  }
}
