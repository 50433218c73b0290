import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { failureFields } from '../errors/failure-fields.ts';
import { readBearerToken } from '../http/bearer-token.ts';
import { type ClientFinder, findPeer } from '../http/client-address.ts';
import { endAfterRequest } from '../http/delivery.ts';
import { writeTogether } from '../http/turn.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { INTERNAL_ERROR, type Refusal, type RefusalWriter } from './refusal.ts';
import type { Reply } from './reply.ts';
import { pathOf } from './request-head.ts';

/** One call of the API, with its answer. Nothing of the answer but its size is in it. */
export interface ServedCall {
  readonly door: 'mcp' | 'rest';
  /**
   * The tool or the MCP method, by a name of this service and never one that a caller made up; `unknown` for
   * others.
   */
  readonly call: string;
  /** HTTP status. */
  readonly status: number;
  /** Why it was refused or failed; null when it was not. */
  readonly code: string | null;
  /** From the head of the request to the answer, ms. */
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Null for an answer without one, and where the caller chose it. */
  readonly requestId: string | null;
  /** Whether a bearer token came with it. The token itself is not told. */
  readonly hasToken: boolean;
  /** What the caller sent, unchecked, whoever may see it. */
  readonly arguments: object;
}

/** Hears of every answered call. It runs on every call, so it must be fast and must not throw. */
export type TellCall = (call: ServedCall) => void;

/** Request ids accepted from callers. Any other character could forge log lines. */
const CALLER_REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

const REQUEST_ID_BYTES = 12;

/** A new request id: 16 characters of base64url. */
export const makeRequestId = (random: Random): string =>
  Buffer.from(random.bytes(REQUEST_ID_BYTES)).toString('base64url');

/** What the contexts of all requests share. */
export interface RequestSurroundings {
  readonly logger: Logger;
  /** Source of request ids. */
  readonly random: Random;
  /** Identifies the client of a request; by default its connection's address. */
  readonly findClient?: ClientFinder;
  /** Hears of the calls; left out where nobody does. */
  readonly tellCall?: TellCall;
}

/** What is known of a call before it is answered. */
interface NamedCall extends Pick<ServedCall, 'door' | 'call' | 'arguments'> {
  code: string | null;
}

/** One HTTP request on its way through the service, and its single answer. */
export class RequestContext {
  readonly request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #surroundings: RequestSurroundings;
  readonly #writeRefusal: RefusalWriter;
  #requestId: string | undefined;
  #standingHeaders: readonly string[] = [];
  /** When it began, and what was called; only where somebody is told. */
  #startedMs = 0;
  #requestBytes = 0;
  #call: NamedCall | undefined;
  #gone: AbortController | undefined;

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
    if (surroundings.tellCall !== undefined) this.#startedMs = performance.now();
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

  /** Aborted once the connection takes no answer any more: it was answered, or the client has left. */
  get gone(): AbortSignal {
    if (this.#gone === undefined) {
      const gone = new AbortController();
      this.#gone = gone;
      if (this.#response.destroyed) gone.abort();
      else this.#response.once('close', () => gone.abort());
    }
    return this.#gone.signal;
  }

  /**
   * The id of the request in the log and in error answers: the caller's `x-request-id`, or one generated on
   * first use.
   */
  get requestId(): string {
    this.#requestId ??= makeRequestId(this.#surroundings.random);
    return this.#requestId;
  }

  /** Makes the answer, whatever it is, carry the request's id. */
  nameRequest(): void {
    this.#requestId ??= makeRequestId(this.#surroundings.random);
  }

  /** Adds headers (name, value, name, value) to whatever answer the request gets. */
  addHeaders(headers: readonly string[]): void {
    this.#standingHeaders = [...this.#standingHeaders, ...headers];
  }

  /**
   * Says what is called, for whoever hears of calls (`ServedCall`). Of several names, the last one counts;
   * without any, nothing is told.
   */
  nameCall(call: string, args: object, door: ServedCall['door'] = 'rest'): void {
    if (this.#surroundings.tellCall !== undefined) this.#call = { door, call, arguments: args, code: null };
  }

  /** Says why the call is refused. */
  noteCode(code: string): void {
    if (this.#call !== undefined) this.#call.code = code;
  }

  /** Says how long the body of the request is, bytes. */
  noteBody(byteCount: number): void {
    this.#requestBytes = byteCount;
  }

  /** Sends the answer. A second one is dropped, as is one to a client that has disconnected. */
  answer(reply: Reply): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    const { body = '' } = reply;
    const bodyBytes = Buffer.byteLength(body);
    if (this.#call !== undefined) this.#tell(this.#call, reply.status, bodyBytes);
    // node:http is fastest with a flat array of names and values.
    // RFC 9110 section 8.6: on a 304 it would be the length of what the client has.
    const head = reply.status === 304 ? [] : ['content-length', String(bodyBytes)];
    if (reply.contentType !== undefined) head.push('content-type', reply.contentType);
    if (this.#requestId !== undefined) head.push('x-request-id', this.#requestId);
    if (reply.headers !== undefined) head.push(...reply.headers);
    if (this.#standingHeaders.length > 0) head.push(...this.#standingHeaders);
    if (reply.isLast === true) head.push('connection', 'close');
    response.writeHead(reply.status, head);
    if (reply.isLast === true) endAfterRequest(this.request, response, body);
    else {
      writeTogether(() => response.end(body));
    }
  }

  /** Answers with `refusal`, in the format of the protocol at this path. */
  refuse(refusal: Refusal): void {
    this.noteCode(refusal.code);
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

  /** The id, where this program made it: one that a caller chose may be anything, an address too. */
  get #madeId(): string | null {
    const id = this.#requestId ?? null;
    return id === this.headers['x-request-id'] ? null : id;
  }

  #tell(call: NamedCall, status: number, responseBytes: number): void {
    this.#call = undefined;
    // Listed one by one: V8 takes microseconds for each member that comes after what an object spreads first.
    const { door, call: name, arguments: args, code } = call;
    this.#surroundings.tellCall?.({
      door,
      call: name,
      arguments: args,
      code,
      status,
      durationMs: performance.now() - this.#startedMs,
      requestBytes: this.#requestBytes,
      responseBytes,
      requestId: this.#madeId,
      hasToken: this.headers.authorization !== undefined,
    });
  }

  #fail(error: unknown): void {
    const { logger } = this.#surroundings;
    logger.error({ requestId: this.requestId, ...failureFields(error) }, 'a request failed unexpectedly');
    this.refuse(INTERNAL_ERROR);
  }
}
