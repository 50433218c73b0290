import type { IncomingMessage, ServerResponse } from 'node:http';
import { leaveWhenTaken } from '../../http/delivery.ts';
import { findPeer, type ClientFinder } from '../../http/forwarded-client.ts';
import type { InFlight } from '../../http/in-flight.ts';
import { endAfterRequest } from '../../http/linger.ts';
import { ALLOWED_METHODS, corsHeaders } from './cors.ts';
import type { Answer } from '../answer.ts';
import type { LongText } from '../../json/long-text.ts';
import type { HttpRefusal } from './refusals.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Texts of at least this length are sent as bytes, characters. */
const LONG_LENGTH = 512;

/** One request and its response, readable by any web page. */
export class HttpExchange {
  readonly request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #methods: string;
  readonly #findClient: ClientFinder;
  #address: string | undefined;

  /**
   * @param methods the HTTP methods reported to browsers.
   * @param findClient identifies the client; by default its connection's address.
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

  /** Refuses a request while its body is still arriving, so that the client can read the reason. */
  refuseRest({ status, text }: HttpRefusal): void {
    this.#writeHead(status, TEXT_TYPE, Buffer.byteLength(text), ['connection', 'close']);
    endAfterRequest(this.request, this.#response, text);
  }

  /** Refuses an invalid token, in the login service's format (RFC 6750 section 3). */
  refuseToken(): void {
    this.send(401, JSON_TYPE, BAD_TOKEN, ['www-authenticate', 'Bearer error="invalid_token"']);
  }

  /**
   * Sends head and body in one write and returns the size of the body. `headers` are alternating names and
   * values.
   */
  send(status: number, contentType: string, body: string | Buffer, headers: readonly string[] = []): number {
    const byteCount = Buffer.byteLength(body);
    this.#writeHead(status, contentType, byteCount, headers);
    this.#response.end(body);
    return byteCount;
  }

  /** The key of the client in tables of addresses. */
  get address(): string {
    this.#address ??= this.#findClient(this.request);
    return this.#address;
  }

  /** Whether the client has stopped waiting for the answer. */
  isGone(): boolean {
    return this.request.socket.destroyed;
  }

  /**
   * Sends the answer of a request that is in flight; the request ends once the client has received it.
   * Answers end with a line feed, for curl users; an empty answer is an empty body.
   */
  deliver(answer: Answer, inFlight: InFlight): void {
    const byteCount = typeof answer === 'string' ? this.#sendText(answer) : this.#sendPieces(answer);
    leaveWhenTaken(inFlight, this.address, this.request, this.#response, byteCount);
  }

  /** Returns the size of the body, bytes. */
  #sendText(answer: string): number {
    const text = answer === '' ? '' : `${answer}\n`;
    // Encode long texts once. node:http would measure the string, append it to the head and then encode both.
    const body = text.length < LONG_LENGTH ? text : Buffer.from(text);
    return this.send(200, JSON_TYPE, body);
  }

  #sendPieces(answer: LongText): number {
    const { pieces, byteCount } = answer.append('\n').toPieces();
    this.#writeHead(200, JSON_TYPE, byteCount, []);
    // Corked, so that head and pieces leave in one system call as far as possible.
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

const BAD_TOKEN = '{"error":"the token is not one of this rollup, or has expired; log in again"}\n';
