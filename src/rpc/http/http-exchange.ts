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

/** From this length on a text is sent as bytes, characters. */
const LONG_LENGTH = 512;

/** One request and its response, which any web page may read. */
export class HttpExchange {
  readonly request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #methods: string;
  readonly #findClient: ClientFinder;
  #address: string | undefined;

  /**
   * @param methods what browsers are told is served here.
   * @param findClient whose the request is; by default that of the connection's address.
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

  /** Refuses a request whose body is still coming, so that the client gets to read why. */
  refuseRest({ status, text }: HttpRefusal): void {
    this.#writeHead(status, TEXT_TYPE, Buffer.byteLength(text), ['connection', 'close']);
    endAfterRequest(this.request, this.#response, text);
  }

  /** Refuses a token that is no good, in the form the login service refuses in (RFC 6750 section 3). */
  refuseToken(): void {
    this.send(401, JSON_TYPE, BAD_TOKEN, ['www-authenticate', 'Bearer error="invalid_token"']);
  }

  /**
   * Head and body in one write; tells the bytes of the body. `headers` are further names and values in turn.
   */
  send(status: number, contentType: string, body: string | Buffer, headers: readonly string[] = []): number {
    const byteCount = Buffer.byteLength(body);
    this.#writeHead(status, contentType, byteCount, headers);
    this.#response.end(body);
    return byteCount;
  }

  /** What stands for the client in a table of addresses. */
  get address(): string {
    this.#address ??= this.#findClient(this.request);
    return this.#address;
  }

  /** Whether nobody waits for the answer any more. */
  isGone(): boolean {
    return this.request.socket.destroyed;
  }

  /**
   * Sends the answer of a request that is in flight, which leaves once the client has it. It ends with a line
   * feed, for people with curl; nothing to say is an empty body.
   */
  deliver(answer: Answer, inFlight: InFlight): void {
    const byteCount = typeof answer === 'string' ? this.#sendText(answer) : this.#sendPieces(answer);
    leaveWhenTaken(inFlight, this.address, this.request, this.#response, byteCount);
  }

  /** Bytes of the body. */
  #sendText(answer: string): number {
    const text = answer === '' ? '' : `${answer}\n`;
    // A long text is made bytes of once; node:http would read it through, put it behind the head and only
    // then do so.
    const body = text.length < LONG_LENGTH ? text : Buffer.from(text);
    return this.send(200, JSON_TYPE, body);
  }

  #sendPieces(answer: LongText): number {
    const { pieces, byteCount } = answer.append('\n').toPieces();
    this.#writeHead(200, JSON_TYPE, byteCount, []);
    // One write of the system's for head and pieces together, as far as it takes them.
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
