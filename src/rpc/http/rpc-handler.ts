import type { IncomingMessage } from 'node:http';
import { failureFields } from '../../errors/failure-fields.ts';
import { readBody } from '../../http/body.ts';
import type { ClientFinder } from '../../http/client-address.ts';
import { type HostVerdict, relaxForProbe } from '../../http/host-guard.ts';
import { InFlight } from '../../http/in-flight.ts';
import type { RequestHandler } from '../../http/server.ts';
import { workTogether, writeTogether } from '../../http/turn.ts';
import { findUtf8Fault } from '../../json/utf8-fault.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import {
  type ClientDispatcher,
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
} from '../dispatcher.ts';
import { type Answer, writeFailure } from '../envelope.ts';
import { internalError, nodeBusy } from '../errors.ts';
import {
  ALLOWED_METHODS,
  BODY_TOO_LARGE,
  ENCODED_BODY,
  FOREIGN_HOST,
  HttpExchange,
  JSON_TYPE,
  notUtf8,
  NULL_ORIGIN,
  requestToken,
  TEXT_TYPE,
  WRONG_CONTENT_TYPE,
  WRONG_METHOD,
} from './http-exchange.ts';

/** Default maximum size of a request body, in bytes (Agave `MAX_REQUEST_BODY_SIZE`, 50 KiB). */
const BODY_BYTES_MAX = 50 * 1024;

/** Content types that jsonrpc-http-server 18 accepts as JSON, case-insensitively. */
const JSON_CONTENT_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  JSON_TYPE,
  'application/json;charset=utf-8',
]);

/** Options of {@link createRpcHandler}. */
export interface RpcHandlerOptions {
  /** Answers requests without a token, and all requests if tokens are ignored. */
  readonly dispatch: ClientDispatcher;
  /**
   * Returns the dispatcher for the holder of a token; undefined for an invalid or expired token. Such a token
   * is rejected with 401, because an answer without the private accounts would look complete. Without this
   * function, tokens are ignored.
   */
  readonly dispatcherFor?: (token: string) => ClientDispatcher | undefined;
  /** Answers foreign origins without a token. Default: `dispatch`, because Solana nodes are open to all. */
  readonly dispatchForeign?: ClientDispatcher;
  readonly bodyBytesMax?: number;
  /** Whether `GET /health` answers `ok`. Default: always. */
  readonly isHealthy?: () => boolean;
  /** Checks the host of a request, and the origin to choose between `dispatch` and `dispatchForeign`. */
  readonly guard?: (request: IncomingMessage) => HostVerdict;
  /** The limit on requests in progress. Further requests get a 503. */
  readonly inFlight?: InFlight;
  /** Identifies the client, so that clients can take turns. Default: by the address of its connection. */
  readonly findClient?: ClientFinder;
  readonly logger?: Logger;
}

type BodyOptions = Required<Pick<RpcHandlerOptions, 'dispatch' | 'bodyBytesMax' | 'inFlight' | 'logger'>>;

/** Serves JSON-RPC like jsonrpc-http-server 18: POST on any path, `GET /health`, and OPTIONS. */
export function createRpcHandler(options: RpcHandlerOptions): RequestHandler {
  const { guard, bodyBytesMax = BODY_BYTES_MAX, inFlight = new InFlight(), logger = silentLogger } = options;
  const { isHealthy = () => true, findClient } = options;
  const dispatcherOf = chooseDispatcher(options);
  return (request, response) => {
    const exchange = new HttpExchange(request, response, ALLOWED_METHODS, findClient);
    const isProbe = request.method === 'GET' && pathOf(request) === '/health';
    const judged = guard?.(request) ?? 'ok';
    const verdict = isProbe ? relaxForProbe(request, judged) : judged;
    if (verdict === 'foreign-host') exchange.refuse(FOREIGN_HOST);
    else if (request.headers.origin === 'null') exchange.refuse(NULL_ORIGIN);
    else if (request.method === 'POST') {
      const dispatch = dispatcherOf(request, verdict);
      if (dispatch === undefined) exchange.refuseToken();
      else servePost(exchange, { dispatch, bodyBytesMax, inFlight, logger });
    } else if (request.method === 'OPTIONS') serveOptions(exchange);
    else if (isProbe) serveHealth(exchange, isHealthy());
    else exchange.refuse(WRONG_METHOD);
  };
}

/** Selects the dispatcher by the origin and the token of a request; undefined for an invalid token. */
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

/** Sends Agave's texts (`RpcHealthStatus`), but with a status that load balancers understand. */
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
    exchange.refuse(WRONG_CONTENT_TYPE);
    return;
  }
  readBody(request, options.bodyBytesMax, (body, fault) => {
    // The connection cannot be reused, because the rest of the body is not read.
    if (fault === 'too-large') exchange.refuseRest(BODY_TOO_LARGE);
    else if (fault === 'encoded') exchange.refuse(ENCODED_BODY);
    else if (body !== undefined) serveBody(exchange, options, body);
  });
}

function serveOptions(exchange: HttpExchange): void {
  exchange.send(200, JSON_TYPE, '', ['allow', ALLOWED_METHODS, 'accept', 'application/json']);
}

function serveBody(exchange: HttpExchange, { dispatch, inFlight, logger }: BodyOptions, body: Buffer): void {
  const utf8Fault = findUtf8Fault(body);
  if (utf8Fault !== undefined) {
    exchange.refuse(notUtf8(utf8Fault));
    return;
  }
  if (!inFlight.tryEnter(exchange.address)) {
    exchange.send(503, JSON_TYPE, `${writeFailure(nodeBusy(), null)}\n`, ['retry-after', '1']);
    return;
  }
  const answerWith = (answer: Answer): void => {
    writeTogether(() => exchange.deliver(answer, inFlight));
  };
  /** Dispatchers never throw. If a dispatcher does, only its request ends, not the process. */
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

/** A ledger with private accounts. */
export interface Readership {
  /** The ledger as seen without a token. */
  readonly publicView: Ledger;
  /** Returns the ledger as seen by the holder of a token; undefined for an invalid token. */
  viewOf(token: string): Ledger | undefined;
}

interface ReaderDispatchers {
  readonly dispatch: Dispatcher;
  readonly dispatcherFor: (token: string) => Dispatcher | undefined;
}

/** Creates dispatchers that show each reader only the accounts it may read. */
export function createReaderDispatchers(
  options: DispatcherOptions,
  readership: Readership,
): ReaderDispatchers {
  const dispatcherOn = (ledger: Ledger): Dispatcher =>
    createDispatcher({ ...options, node: { ...options.node, ledger } });
  return {
    dispatch: dispatcherOn(readership.publicView),
    dispatcherFor(token) {
      const view = readership.viewOf(token);
      return view && dispatcherOn(view);
    },
  };
}
