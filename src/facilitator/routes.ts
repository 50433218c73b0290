import type { Route } from '../service/front.ts';
import { readJsonBody } from '../service/json-body.ts';
import { writeProblem } from '../service/problem.ts';
import { respond } from '../service/problem-reply.ts';
import { NOT_FOUND, replyFrame } from '../service/refusal.ts';
import { jsonReply, NO_STORE, type Reply } from '../service/reply.ts';
import type { RequestContext } from '../service/request-context.ts';
import { traceRestCall } from '../service/telemetry.ts';
import type { Facilitator } from './facilitator.ts';
import type { Payment } from '../settlement/payment-store.ts';
import { InvalidRequest } from './refusal.ts';

/** Maximum size of a request body, in bytes. The largest transaction has 1,644 characters in base64. */
const BODY_BYTES_MAX = 16 * 1024;

/** Ids of payments, and identifiers that payers choose. */
const PAYMENT_ID = /^[A-Za-z0-9_-]{16,128}$/;

/** The calls of the facilitator by name. Names are also scopes of callers. */
const CALLS = {
  verify: 'x402.verify',
  settle: 'x402.settle',
  supported: 'x402.supported',
  payment: 'x402.payment',
} as const;

/** The names of the calls. */
export const FACILITATOR_CALLS: readonly string[] = Object.values(CALLS);

/** Status of a settlement that was not tried, by its reason. */
const STATUS_OF_REASON: Readonly<Partial<Record<string, number>>> = {
  payment_identifier_conflict: 409,
  facilitator_budget_exhausted: 503,
};

/** Time after which a request can be sent again, in seconds. */
const RETRY_AFTER = ['retry-after', '1'] as const;

/** Statuses of refusals of a body. Clients of x402 read them in its form. */
const ABOUT_BODY: ReadonlySet<number> = new Set([400, 413, 415]);

/** Writes the reason of a request that is not an x402 request, in the form of its path. */
type WriteReason = (reason: string, message: string) => object;

const invalid: WriteReason = (invalidReason, invalidMessage) => ({
  isValid: false,
  invalidReason,
  invalidMessage,
});

const unsettled: WriteReason = (errorReason, errorMessage) => ({
  success: false,
  errorReason,
  errorMessage,
  transaction: '',
  network: '',
});

/** Creates the routes of the facilitator. */
export function createFacilitatorRoutes(facilitator: Facilitator): readonly Route[] {
  return [
    postRoute('verify', 'read', invalid, async (body) => json(await facilitator.verify(body))),
    postRoute('settle', 'send', unsettled, async (body, context) => {
      const answer = await facilitator.settle(body, context.gone);
      const { errorReason = '' } = answer;
      if (errorReason !== '') context.noteCode(errorReason);
      const status = STATUS_OF_REASON[errorReason] ?? 200;
      return { ...json(answer), status, ...(status === 503 && { headers: RETRY_AFTER }) };
    }),
    getRoute('supported', '/x402/supported', async () => json(facilitator.supported())),
    getRoute('payment', '/x402/payments/{id}', async (context) => {
      const [id = ''] = context.variables;
      const payment = PAYMENT_ID.test(id) ? await facilitator.find(id) : undefined;
      if (payment !== undefined) return json(showPayment(payment, id));
      context.noteCode(NOT_FOUND.code);
      const detail = 'No payment has this id: check it. Final payments are deleted after 30 days';
      return writeProblem({ ...NOT_FOUND, detail }, context.requestId, context.path);
    }),
  ];
}

/**
 * Shows a payment. A reader with its id knows the message, unless it was easy to guess. An identifier proves
 * less, because payers choose it, and gives only the state.
 */
function showPayment(payment: Payment, id: string): object {
  const { state, signature, ledger, network, mint, amount, slot, createdMs, isReleased } = payment;
  const shown = { state: state === 'signed' ? 'pending' : state };
  if (payment.id !== id) return shown;
  return {
    id,
    ...shown,
    transaction: signature,
    network,
    ledger,
    asset: mint,
    amount: String(amount),
    slot,
    isReleased,
    createdMs,
  };
}

const json = (value: object): Reply => jsonReply(JSON.stringify(value));

function postRoute(
  name: keyof typeof CALLS,
  effect: 'read' | 'send',
  write: WriteReason,
  answer: (body: unknown, context: RequestContext) => Promise<Reply>,
): Route {
  const malformed = (reason: string, message: string): Reply => ({
    ...json(write(reason, message)),
    status: 400,
  });
  return {
    path: `/x402/${name}`,
    isApi: true,
    methods: {
      POST: (context) => {
        if (!open(context, name, effect)) return;
        readJsonBody(context, BODY_BYTES_MAX, (body) =>
          respond(context, () =>
            answer(body, context).catch((error: unknown) => {
              if (!(error instanceof InvalidRequest)) throw error;
              context.noteCode(error.reason);
              return malformed(error.reason, error.message);
            }),
          ),
        );
      },
    },
    writeRefusal: (refusal, requestId, path) =>
      ABOUT_BODY.has(refusal.status)
        ? { ...malformed('invalid_payload', refusal.detail), ...replyFrame(refusal) }
        : writeProblem(refusal, requestId, path),
  };
}

function getRoute(
  name: keyof typeof CALLS,
  path: string,
  answer: (context: RequestContext) => Promise<Reply>,
): Route {
  const GET = (context: RequestContext): void | Promise<void> =>
    open(context, name, 'read') ? respond(context, () => answer(context)) : undefined;
  return { path, isApi: true, methods: { GET } };
}

/** Names the call. Returns whether the caller's scopes permit it; if not, the request has been answered. */
function open(context: RequestContext, call: keyof typeof CALLS, effect: 'read' | 'send'): boolean {
  const name = CALLS[call];
  context.nameRequest();
  context.nameCall(name, {});
  context.trace = traceRestCall(context.request, `/x402/${call}`);
  context.addHeaders(NO_STORE);
  const refusal = context.refusalFor({ name, effect });
  if (refusal !== undefined) context.refuse(refusal);
  return refusal === undefined;
}
