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

/** Request ids accepted from callers. Any other character could forge log lines. */
const CALLER_REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** What the contexts of all requests share. */
export interface RequestSurroundings {
  readonly logger: Logger;
  readonly requestIds: RequestIds;
  /** Identifies the client of a request; by default its connection's address. */
  readonly findClient?: ClientFinder;
}

/** One HTTP request on its way through the service, and its single answer. */
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

  /**
   * The client the request counts for, in limits and queues. Behind a trusted proxy it is the one the proxy
   * names.
   */
  get client(): string {
    const { findClient = findPeer } = this.#surroundings;
    return findClient(this.request);
  }

  /** The request path without its query. */
  get path(): string {
    return pathOf(this.request.url ?? '');
  }

  /** The caller's bearer token from `Authorization`. A header without a token counts as absent. */
  get token(): string | undefined {
    return readBearerToken(this.headers.authorization) || undefined;
  }

  /**
   * The id of the request in the log and in error answers: the caller's `x-request-id`, or one generated on
   * first use.
   */
  get requestId(): string {
    this.#requestId ??= this.#surroundings.requestIds.next();
    return this.#requestId;
  }

  /** Makes the answer, whatever it is, carry the request's id. */
  nameRequest(): void {
    this.#requestId ??= this.#surroundings.requestIds.next();
  }

  /** Adds headers (name, value, name, value) to whatever answer the request gets. */
  addHeaders(headers: readonly string[]): void {
    this.#standingHeaders = [...this.#standingHeaders, ...headers];
  }

  /** Sends the answer. A second one is dropped, as is one to a client that has disconnected. */
  answer(reply: Reply): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    const { body = '', rest } = reply;
    const bodyBytes = Buffer.byteLength(body);
    // node:http is fastest with a flat array of names and values.
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

  /** Answers with `refusal`, in the format of the protocol at this path. */
  refuse(refusal: Refusal): void {
    this.answer(this.#writeRefusal(refusal, this.requestId, this.path));
  }

  /**
   * Runs one step of handling the request. An exception is a bug: it is logged and answered as an internal
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

/** Sends the head and both parts of the body in one system call. */
function writeBody(
  response: ServerResponse,
  body: string,
  bodyBytes: number,
  rest: Buffer | undefined,
): void {
  // If there are as many bytes as characters, the text is ASCII, and Latin-1 is the cheaper encoding.
  const encoding = bodyBytes === body.length ? 'latin1' : 'utf8';
  if (rest === undefined) response.end(body, encoding);
  else {
    response.write(body, encoding);
    response.end(rest);
  }
}
