import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { findPeer, type ClientFinder } from '../http/forwarded-client.ts';
import { endAfterRequest } from '../http/linger.ts';
import { writeTogether } from '../http/turn.ts';
import type { Logger } from '../ports/logger.ts';
import { readBearerToken } from '../http/bearer-token.ts';
import { failureFields } from '../errors/failure-fields.ts';
import { INTERNAL_ERROR, type Refusal, type RefusalWriter } from './refusal.ts';
import type { Reply } from './reply.ts';
import type { RequestIds } from './request-ids.ts';
import { pathOf } from './request-path.ts';

/** Ids that are taken over from callers; anything else could forge lines in logs. */
const CALLER_REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** What the contexts of all requests share. */
export interface RequestSurroundings {
  readonly logger: Logger;
  readonly requestIds: RequestIds;
  /** Whose a request is; by default that of the connection's address. */
  readonly findClient?: ClientFinder;
}

/** One HTTP request on its way through the service, and the one answer it gets. */
export class RequestContext {
  readonly request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #surroundings: RequestSurroundings;
  readonly #writeRefusal: RefusalWriter;
  #requestId: string | undefined;
  #standingHeaders: readonly string[] = [];

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    surroundings: RequestSurroundings,
    writeRefusal: RefusalWriter,
  ) {
    this.request = request;
    this.#response = response;
    this.#surroundings = surroundings;
    this.#writeRefusal = writeRefusal;
    const callerId = request.headers['x-request-id'];
    if (typeof callerId === 'string' && CALLER_REQUEST_ID.test(callerId)) this.#requestId = callerId;
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
  }

  /** Whose the request is, for limits and for its place in line: behind a trusted proxy the client it names. */
  get client(): string {
    const { findClient = findPeer } = this.#surroundings;
    return findClient(this.request);
  }

  /** What was asked for, without query. */
  get path(): string {
    return pathOf(this.request.url ?? '');
  }

  /** The caller's own bearer token, from `Authorization`; a header that has none in it counts as absent. */
  get token(): string | undefined {
    return readBearerToken(this.headers.authorization) || undefined;
  }

  /**
   * What the request is called in logs and error answers: the caller's `x-request-id`, else one made at first
   * use.
   */
  get requestId(): string {
    this.#requestId ??= this.#surroundings.requestIds.next();
    return this.#requestId;
  }

  /** Sees to it that the answer names the request, whatever becomes of it. */
  nameRequest(): void {
    this.#requestId ??= this.#surroundings.requestIds.next();
  }

  /** Adds headers (name, value, name, value) that whatever answer the request gets will carry. */
  addHeaders(headers: readonly string[]): void {
    this.#standingHeaders = [...this.#standingHeaders, ...headers];
  }

  /** Sends the answer. A second one, or one that comes after the client has left, is dropped. */
  answer(reply: Reply): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    const { body = '', rest } = reply;
    const bodyBytes = Buffer.byteLength(body);
    // A flat array of names and values is what node:http writes fastest.
    const head = ['content-length', String(bodyBytes + (rest?.length ?? 0))];
    if (reply.contentType !== undefined) head.push('content-type', reply.contentType);
    if (this.#requestId !== undefined) head.push('x-request-id', this.#requestId);
    if (reply.headers !== undefined) head.push(...reply.headers);
    if (this.#standingHeaders.length > 0) head.push(...this.#standingHeaders);
    if (reply.isLast === true) head.push('connection', 'close');
    response.writeHead(reply.status, head);
    if (reply.isLast === true) endAfterRequest(this.request, response, body);
    else writeTogether(() => writeBody(response, body, bodyBytes, rest));
  }

  /** Answers with `refusal`, in the form of the protocol that is spoken at the path. */
  refuse(refusal: Refusal): void {
    this.answer(this.#writeRefusal(refusal, this.requestId, this.path));
  }

  /**
   * Runs one step of serving the request: whatever it throws is a bug, logged and answered as an internal
   * error.
   */
  attempt(step: () => void | Promise<void>): void {
    try {
      const done = step();
      if (done instanceof Promise) done.catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const { logger } = this.#surroundings;
    logger.error({ requestId: this.requestId, ...failureFields(error) }, 'a request failed unexpectedly');
    this.refuse(INTERNAL_ERROR);
  }
}

/** Head and both parts of a body leave in one call of the system. */
function writeBody(
  response: ServerResponse,
  body: string,
  bodyBytes: number,
  rest: Buffer | undefined,
): void {
  // As many bytes as characters: the text is ASCII, which leaves faster as Latin-1, unencoded.
  const encoding = bodyBytes === body.length ? 'latin1' : 'utf8';
  if (rest === undefined) response.end(body, encoding);
  else {
    response.write(body, encoding);
    response.end(rest);
  }
}
