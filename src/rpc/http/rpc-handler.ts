import type { IncomingMessage } from 'node:http';
import { failureFields } from '../../errors/failure-fields.ts';
import { readBody } from '../../http/body.ts';
import type { ClientFinder } from '../../http/forwarded-client.ts';
import { judgeProbe, type HostVerdict } from '../../http/host-guard.ts';
import { InFlight } from '../../http/in-flight.ts';
import type { RequestHandler } from '../../http/server.ts';
import { workTogether, writeTogether } from '../../http/turn.ts';
import { silentLogger, type Logger } from '../../ports/logger.ts';
import type { Answer } from '../answer.ts';
import type { ClientDispatcher } from '../dispatcher.ts';
import { writeFailure } from '../envelope.ts';
import { internalError, nodeBusy } from '../errors.ts';
import { findUtf8Fault } from '../../json/utf8-fault.ts';
import { ALLOWED_METHODS } from './cors.ts';
import { HttpExchange, JSON_TYPE, TEXT_TYPE } from './http-exchange.ts';
import * as refusals from './refusals.ts';
import { requestToken } from './request-token.ts';

/** Most bytes of a request body by default (Agave `MAX_REQUEST_BODY_SIZE`, 50 KiB). */
const BODY_BYTES_MAX = 50 * 1024;

/** What jsonrpc-http-server 18 takes for JSON, whatever the case. */
const JSON_CONTENT_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  JSON_TYPE,
  'application/json;charset=utf-8',
]);

/** What serves the JSON-RPC of a ledger node over HTTP. */
export interface RpcHandlerOptions {
  /** Answers everybody, or where there are tokens those who send none. */
  readonly dispatch: ClientDispatcher;
  /**
   * What answers the holder of a token; undefined for a token that is no good, or no longer, which is refused
   * with 401: an answer without what they may read would be taken for the truth. Where this is not given,
   * tokens do not count.
   */
  readonly dispatcherFor?: (token: string) => ClientDispatcher | undefined;
  /**
   * Answers pages of foreign origins that send no token; `dispatch` does when left out, as Solana nodes are
   * open to all.
   */
  readonly dispatchForeign?: ClientDispatcher;
  readonly bodyBytesMax?: number;
  /** Whether `GET /health` answers `ok`; it always does when left out. */
  readonly isHealthy?: () => boolean;
  /** Judges the host a request is addressed to, and whether `dispatchForeign` answers. */
  readonly guard?: (request: IncomingMessage) => HostVerdict;
  /** Bounds the bodies that are worked on at once; those beyond are answered with 503. */
  readonly inFlight?: InFlight;
  /** Whose a request is, so that each client has its turn; by default that of the connection's address. */
  readonly findClient?: ClientFinder;
  readonly logger?: Logger;
}

/** What the handling of a body needs of the options. */
type BodyOptions = Required<Pick<RpcHandlerOptions, 'dispatch' | 'bodyBytesMax' | 'inFlight' | 'logger'>>;

/**
 * Serves JSON-RPC over HTTP as jsonrpc-http-server 18 does, which Agave uses: POST on any path, `GET
 * /health`, and OPTIONS for browsers.
 */
export function createRpcHandler(options: RpcHandlerOptions): RequestHandler {
  const { guard, bodyBytesMax = BODY_BYTES_MAX, inFlight = new InFlight(), logger = silentLogger } = options;
  const { isHealthy = () => true, findClient } = options;
  const dispatcherOf = chooseDispatcher(options);
  return (request, response) => {
    const exchange = new HttpExchange(request, response, ALLOWED_METHODS, findClient);
    const isProbe = request.method === 'GET' && pathOf(request) === '/health';
    const judged = guard?.(request) ?? 'ok';
    const verdict = isProbe ? judgeProbe(request, judged) : judged;
    if (verdict === 'foreign-host') exchange.refuse(refusals.FOREIGN_HOST);
    else if (request.headers.origin === 'null') exchange.refuse(refusals.NULL_ORIGIN);
    else if (request.method === 'POST') {
      const dispatch = dispatcherOf(request, verdict);
      if (dispatch === undefined) exchange.refuseToken();
      else servePost(exchange, { dispatch, bodyBytesMax, inFlight, logger });
    } else if (request.method === 'OPTIONS') serveOptions(exchange);
    else if (isProbe) serveHealth(exchange, isHealthy());
    else exchange.refuse(refusals.WRONG_METHOD);
  };
}

/**
 * Tells what answers a request by the page it comes from and the token it carries; undefined when that is no
 * good.
 */
function chooseDispatcher({
  dispatch,
  dispatchForeign = dispatch,
  dispatcherFor,
}: RpcHandlerOptions): (request: IncomingMessage, verdict: HostVerdict) => ClientDispatcher | undefined {
  const withoutToken = (verdict: HostVerdict): ClientDispatcher =>
    verdict === 'ok' ? dispatch : dispatchForeign;
  if (dispatcherFor === undefined) return (_request, verdict) => withoutToken(verdict);
  return (request, verdict) => {
    const token = requestToken(request);
    return token === null ? withoutToken(verdict) : dispatcherFor(token);
  };
}

/** In Agave's words (`RpcHealthStatus`), but with a status that load balancers go by. */
function serveHealth(exchange: HttpExchange, isHealthy: boolean): void {
  exchange.send(isHealthy ? 200 : 503, TEXT_TYPE, isHealthy ? 'ok' : 'unknown');
}

function pathOf(request: IncomingMessage): string | undefined {
  return request.url?.split('?', 1)[0];
}

function servePost(exchange: HttpExchange, options: BodyOptions): void {
  const { request } = exchange;
  const contentType = request.headers['content-type'];
  if (contentType === undefined || !JSON_CONTENT_TYPES.has(contentType.toLowerCase())) {
    exchange.refuse(refusals.WRONG_CONTENT_TYPE);
    return;
  }
  readBody(request, options.bodyBytesMax, (body, fault) => {
    // The rest of the body is not read, so the connection cannot be used again.
    if (fault === 'too-large') exchange.refuseRest(refusals.BODY_TOO_LARGE);
    else if (fault === 'encoded') exchange.refuse(refusals.ENCODED_BODY);
    else if (body !== undefined) serveBody(exchange, options, body);
  });
}

function serveOptions(exchange: HttpExchange): void {
  exchange.send(200, JSON_TYPE, '', ['allow', ALLOWED_METHODS, 'accept', 'application/json']);
}

function serveBody(exchange: HttpExchange, { dispatch, inFlight, logger }: BodyOptions, body: Buffer): void {
  const utf8Fault = findUtf8Fault(body);
  if (utf8Fault !== undefined) {
    exchange.refuse(refusals.notUtf8(utf8Fault));
    return;
  }
  if (!inFlight.tryEnter(exchange.address)) {
    exchange.send(503, JSON_TYPE, `${writeFailure(nodeBusy(), null)}\n`, ['retry-after', '1']);
    return;
  }
  const answerWith = (answer: Answer): void => {
    writeTogether(() => exchange.deliver(answer, inFlight));
  };
  /** A dispatcher does not fail; if one does all the same, its request is over and not the process. */
  const answerFault = (error: unknown): void => {
    logger.error(failureFields(error), 'dispatcher failed');
    answerWith(writeFailure(internalError(), null));
  };
  workTogether(exchange.address, () => {
    try {
      const answer = dispatch(body.toString(), exchange);
      if (answer instanceof Promise) answer.then(answerWith, answerFault);
      else answerWith(answer);
    } catch (error) {
      answerFault(error);
    }
  });
}
