import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { failureFields } from '../errors/failure-fields.ts';
import { readBearerToken } from '../http/bearer-token.ts';
import { type ClientFinder, findPeer } from '../http/client-address.ts';
import { endAfterRequest } from '../http/delivery.ts';
import { writeTogether } from '../http/turn.ts';
import type { SeenSlots } from '../payments/seen-slots.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Authorizer } from './auth/authorize.ts';
import type { Caller } from './auth/caller.ts';
import type { ScopedTool } from './auth/scopes.ts';
import { INTERNAL_ERROR, type Refusal, type RefusalWriter } from './refusal.ts';
import type { Reply } from './reply.ts';
import { pathOf } from './request-head.ts';
import { SlotFloorHeader } from './slot-floor-header.ts';
import type { CallTrace } from './telemetry.ts';

/** One API call with its outcome. It contains only the size of the response. */
export interface ServedCall {
  readonly door: 'mcp' | 'rest';
  /** The tool or the MCP method; `unknown` if the name does not exist. */
  readonly call: string;
  readonly status: number;
  /** Code of the refusal or failure; null if it succeeded. */
  readonly code: string | null;
  /** Time from the request head to the response, in ms. */
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Id of the request; null if the response has none or the caller chose it. */
  readonly requestId: string | null;
  /** Id of the trace; null if no OpenTelemetry SDK is registered. */
  readonly traceId: string | null;
  /** Whether the request had a bearer token. */
  readonly hasToken: boolean;
  /** The caller's arguments, unchecked. They may be private. */
  readonly arguments: object;
}

/** Listener that is called after every API response. It must be fast and must not throw. */
export type OnCall = (call: ServedCall) => void;

/** Request ids that callers may choose. Other characters could forge log lines. */
const CALLER_REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

const REQUEST_ID_BYTES = 12;

/** Creates a request id: 16 characters of base64url. */
export const makeRequestId = (random: Random): string =>
  Buffer.from(random.bytes(REQUEST_ID_BYTES)).toString('base64url');

/** Dependencies that all request contexts share. */
export interface RequestSurroundings {
  readonly logger: Logger;
  /** Source of request ids. */
  readonly random: Random;
  /** Identifies the client of a request. By default, the client is the connection's address. */
  readonly findClient?: ClientFinder;
  /** Listener to call after every API response. Optional. */
  readonly onCall?: OnCall;
  /** Authenticates callers; undefined if anyone may call the API. */
  readonly authorizer?: Authorizer | undefined;
}

/** The facts of a call that are known before its response. */
interface NamedCall extends Pick<ServedCall, 'door' | 'call' | 'arguments'> {
  code: string | null;
}

/** One HTTP request and its single response. */
export class RequestContext {
  readonly request: IncomingMessage;
  /** Values of the variables in the route's path. */
  variables: readonly string[] = [];
  /** The trace of the call, which ends with the response; undefined if no OpenTelemetry SDK is registered. */
  trace: CallTrace | undefined;
  readonly #response: ServerResponse;
  readonly #surroundings: RequestSurroundings;
  readonly #writeRefusal: RefusalWriter;
  #requestId: string | undefined;
  #standingHeaders: readonly string[] = [];
  /** Start time; set only if calls are reported. */
  #startedMs = 0;
  #requestBytes = 0;
  #call: NamedCall | undefined;
  #gone: AbortController | undefined;
  #seen: SlotFloorHeader | undefined;
  #caller: Caller | undefined;

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
    if (surroundings.onCall !== undefined) this.#startedMs = performance.now();
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
  }

  /** The authenticated caller; undefined before authentication, or if the service authenticates no one. */
  get caller(): Caller | undefined {
    return this.#caller;
  }

  /**
   * Key of the client in limits and queues: the authenticated caller, or an address, which a trusted proxy
   * can name.
   */
  get client(): string {
    const { findClient = findPeer } = this.#surroundings;
    return this.#caller?.client ?? findClient(this.request);
  }

  /** The request path without its query. */
  get path(): string {
    return pathOf(this.request.url ?? '');
  }

  /**
   * The caller's bearer token for the rollup. A header without a token counts as absent. If the service
   * authenticates callers, `Authorization` is for the service alone and never reaches a rollup.
   */
  get token(): string | undefined {
    return readBearerToken(this.#tokenHeader) || undefined;
  }

  /** The slots that the caller has seen. Reported slots are in the response. */
  get seen(): SeenSlots {
    this.#seen ??= new SlotFloorHeader(this.headers['ledger-slot-floor']);
    return this.#seen;
  }

  get #tokenHeader(): string | undefined {
    const { authorization, 'rollup-authorization': own } = this.headers;
    if (own !== undefined || this.#surroundings.authorizer !== undefined) return own?.toString();
    return authorization;
  }

  /** Authenticates the caller; resolves to the refusal if its credentials are not valid. */
  async authenticate(): Promise<Refusal | undefined> {
    const verdict = await this.#surroundings.authorizer?.authorize(this.request);
    this.#caller = verdict?.caller;
    return verdict?.refusal;
  }

  /**
   * Returns the refusal if the caller's scopes do not permit a tool.
   *
   * @throws Error if the caller was not authenticated.
   */
  refusalFor(tool: ScopedTool): Refusal | undefined {
    const { authorizer } = this.#surroundings;
    if (authorizer === undefined) return undefined;
    if (this.#caller === undefined) throw new Error('the request was not authenticated');
    return authorizer.refuse(this.#caller, tool, this.request);
  }

  /** Signal that aborts when the response has been sent or the client has disconnected. */
  get gone(): AbortSignal {
    if (this.#gone === undefined) {
      const gone = new AbortController();
      this.#gone = gone;
      if (this.#response.destroyed) gone.abort();
      else this.#response.once('close', () => gone.abort());
    }
    return this.#gone.signal;
  }

  /** Id of the request in logs and errors: the caller's `x-request-id`, or one created on first use. */
  get requestId(): string {
    this.#requestId ??= makeRequestId(this.#surroundings.random);
    return this.#requestId;
  }

  /** Adds the request's id to the response. */
  nameRequest(): void {
    this.#requestId ??= makeRequestId(this.#surroundings.random);
  }

  /** Adds headers (name, value, name, value) to the response. */
  addHeaders(headers: readonly string[]): void {
    this.#standingHeaders = [...this.#standingHeaders, ...headers];
  }

  /** Sets the call to report (`ServedCall`), replacing an earlier one. Without a call nothing is reported. */
  nameCall(call: string, args: object, door: ServedCall['door'] = 'rest'): void {
    this.#call = { door, call, arguments: args, code: null };
  }

  /** Sets the code of the refusal or failure to report. */
  noteCode(code: string): void {
    if (this.#call !== undefined) this.#call.code = code;
  }

  /** Runs a step of the call as a part of its trace. */
  traced<T>(step: () => T): T {
    return this.trace === undefined ? step() : this.trace.run(step);
  }

  /** Sets the size of the request body to report, in bytes. */
  noteBody(byteCount: number): void {
    this.#requestBytes = byteCount;
  }

  /** Sends the response. Does nothing if a response was sent before or the client has disconnected. */
  answer(reply: Reply): void {
    const response = this.#response;
    if (response.headersSent) return;
    const { body = '' } = reply;
    const bodyBytes = Buffer.byteLength(body);
    if (this.#call !== undefined) this.#report(this.#call, reply.status, bodyBytes);
    // The call is reported anyway, because the slowest calls are those that clients do not wait for.
    if (response.destroyed) return;
    // node:http is fastest with a flat array of names and values. A 304 would need the length of the client's
    // copy (RFC 9110 section 8.6).
    const head = reply.status === 304 ? [] : ['content-length', String(bodyBytes)];
    if (reply.contentType !== undefined) head.push('content-type', reply.contentType);
    if (this.#requestId !== undefined) head.push('x-request-id', this.#requestId);
    const floor = this.#seen?.text;
    if (floor !== undefined) head.push('ledger-slot-floor', floor);
    if (reply.headers !== undefined) head.push(...reply.headers);
    if (this.#standingHeaders.length > 0) head.push(...this.#standingHeaders);
    if (reply.isLast === true) head.push('connection', 'close');
    response.writeHead(reply.status, head);
    if (reply.isLast === true) endAfterRequest(this.request, response, body);
    else {
      writeTogether(() => response.end(body));
    }
  }

  /** Responds with `refusal` in the format of the protocol at this path. */
  refuse(refusal: Refusal): void {
    this.noteCode(refusal.code);
    this.answer(this.#writeRefusal(refusal, this.requestId, this.path));
  }

  /** Runs one step of the request. An exception is a bug, which is logged and becomes an internal error. */
  attempt(step: () => void | Promise<void>): void {
    try {
      const done = step();
      if (done instanceof Promise) done.catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The id if this program created it, otherwise null. A caller's id could reveal anything. */
  get #madeId(): string | null {
    const id = this.#requestId ?? null;
    return id === this.headers['x-request-id'] ? null : id;
  }

  #report(call: NamedCall, status: number, responseBytes: number): void {
    this.#call = undefined;
    // Members are listed one by one, because V8 is slow with members after a spread.
    const { door, call: name, arguments: args, code } = call;
    this.trace?.end({ call: name, status, code });
    this.#surroundings.onCall?.({
      door,
      call: name,
      arguments: args,
      code,
      status,
      durationMs: performance.now() - this.#startedMs,
      requestBytes: this.#requestBytes,
      responseBytes,
      requestId: this.#madeId,
      traceId: this.trace?.id ?? null,
      hasToken: this.#tokenHeader !== undefined,
    });
  }

  #fail(error: unknown): void {
    const { logger } = this.#surroundings;
    logger.error({ requestId: this.requestId, ...failureFields(error) }, 'a request failed unexpectedly');
    this.refuse(INTERNAL_ERROR);
  }
}
