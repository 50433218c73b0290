import type { Route } from '../service/front.ts';
import { readJsonBody } from '../service/json-body.ts';
import { writeProblemBody } from '../service/problem.ts';
import { respond } from '../service/problem-reply.ts';
import { type Refusal, replyFrame } from '../service/refusal.ts';
import { jsonReply, NO_STORE, type Reply } from '../service/reply.ts';
import type { RequestContext } from '../service/request-context.ts';
import { originFor } from '../service/request-head.ts';
import { traceRestCall } from '../service/telemetry.ts';
import type { Payment } from '../settlement/payment-store.ts';

/** Maximum size of a request body, in bytes. */
const BODY_BYTES_MAX = 16_384;

/** A call of the API, as passed to its handler. */
export interface CheckoutCall {
  readonly context: RequestContext;
  /** The parsed body; undefined for a GET. */
  readonly body: unknown;
  readonly origin: string;
}

/** Handles a call. */
type CheckoutHandler = (call: CheckoutCall) => Promise<Reply>;

/** Handlers by method and path, such as `GET /v1/payments/{id}`. */
export type CheckoutHandlers = Readonly<Record<string, CheckoutHandler>>;

/** Creates a 200 response. */
export const json = (value: object): Reply => jsonReply(JSON.stringify(value));

/** Creates a response with status 200 if the payment is settled, 202 if it is pending, otherwise 409. */
export function settled({ state }: Payment, shown: object): Reply {
  return { ...json(shown), status: state === 'settled' ? 200 : state === 'signed' ? 202 : 409 };
}

/** Returns the query of a call by name. */
export const queryOf = ({ request }: RequestContext): Record<string, string> =>
  Object.fromEntries(new URLSearchParams((request.url ?? '').split('?', 2)[1] ?? ''));

/**
 * Creates the routes for handlers, which authenticate their callers themselves.
 *
 * @param calls the name of each call, by method and path.
 * @param publicOrigin the origin of the service; undefined for the origin that each request was sent to.
 */
export function routesOf(
  handlers: CheckoutHandlers,
  calls: Readonly<Record<string, string>>,
  publicOrigin: string | undefined,
): readonly Route[] {
  const routes = new Map<string, Route>();
  for (const [place, handler] of Object.entries(handlers)) {
    const call = calls[place] as string;
    const [method = '', path = ''] = place.split(' ');
    const answer = (context: RequestContext, body: unknown): Promise<void> =>
      respond(context, () => handler({ context, body, origin: originFor(context.request, publicOrigin) }));
    const open = (context: RequestContext): void => {
      context.nameRequest();
      context.nameCall(call, {});
      context.trace = traceRestCall(context.request, path);
      context.addHeaders(NO_STORE);
    };
    const methods = {
      ...routes.get(path)?.methods,
      [method]: (context: RequestContext) => {
        open(context);
        if (method === 'GET') return answer(context, undefined);
        // A call without a body, such as a prepare call, can also omit the content type.
        if (isEmpty(context)) return answer(context, {});
        return readJsonBody(context, BODY_BYTES_MAX, (body) => answer(context, body));
      },
    };
    routes.set(path, { path, isApi: true, checksCallers: true, methods, writeRefusal });
  }
  return [...routes.values()];
}

const isEmpty = ({ headers }: RequestContext): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** Codes of the hosted API for rejected bodies. */
const REFUSED_BODIES: Readonly<Partial<Record<Refusal['code'], string>>> = {
  BODY_TOO_LARGE: 'REQUEST_TOO_LARGE',
  BODY_NOT_JSON: 'INVALID_REQUEST',
  BODY_TOO_DEEP: 'INVALID_REQUEST',
  MEMBER_REPEATED: 'INVALID_REQUEST',
};

function writeRefusal(refusal: Refusal, requestId: string, path: string): Reply {
  const problem: Parameters<typeof writeProblemBody>[0] = {
    ...refusal,
    code: REFUSED_BODIES[refusal.code] ?? refusal.code,
  };
  return {
    ...replyFrame(refusal),
    body: writeProblemBody(problem, requestId, path),
    contentType: 'application/problem+json',
  };
}
