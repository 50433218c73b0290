import type { Route, RouteHandler } from '../front.ts';
import { isJsonObject } from '../input/json-object.ts';
import { readJsonBody } from '../json-body.ts';
import { lazily } from '../lazily.ts';
import { toolName } from '../mcp/tools.ts';
import { describeFailure, describeInvalidFields, describeInvalidInput } from '../problem.ts';
import { payingOf, receiptHeaders, writeDemand } from '../paid/http-payment.ts';
import { PaymentDemanded } from '../paid/till.ts';
import { problemReply } from '../problem-reply.ts';
import type { Refusal } from '../refusal.ts';
import { jsonReply, NO_STORE, type Reply } from '../reply.ts';
import type { RequestContext } from '../request-context.ts';
import type { ServedOperation } from '../served-operation.ts';
import { type Claim, digestUse, type IdempotencyKeys } from './idempotency-keys.ts';
import { traceRestCall } from '../telemetry.ts';
import { createQueryReader } from './query-input.ts';
import type { PlacedOperation } from './rest-table.ts';

const IDEMPOTENCY_KEY_INVALID: Refusal = {
  status: 400,
  code: 'IDEMPOTENCY_KEY_INVALID',
  title: 'Bad Request',
  detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
};

/** Refusals defined in draft-ietf-httpapi-idempotency-key-header, section 2.7. */
const IDEMPOTENCY_KEY_IN_USE: Refusal = {
  status: 409,
  code: 'IDEMPOTENCY_KEY_IN_USE',
  title: 'Conflict',
  detail: 'A request with this Idempotency-Key is still in progress; try again in a second',
  headers: ['retry-after', '1'],
};

const IDEMPOTENCY_KEY_REUSED: Refusal = {
  status: 422,
  code: 'IDEMPOTENCY_KEY_REUSED',
  title: 'Unprocessable Content',
  detail: 'This Idempotency-Key was used with another body; a new request needs a new key',
};

interface RestOptions {
  readonly bodyBytesMax: number;
  readonly keys: IdempotencyKeys;
  /** Public origin. Defaults to the origin that each request was sent to. */
  readonly publicOrigin?: string | undefined;
}

/** The characters of an idempotency key: VCHAR of RFC 5234. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Creates the REST routes of operations, one per path. A POST reads its input from the JSON body, and a GET
 * from the query. The response is the operation's output.
 */
export function createRestRoutes(placed: readonly PlacedOperation[], options: RestOptions): readonly Route[] {
  const methodsByPath = new Map<string, Partial<Record<'GET' | 'POST', RouteHandler>>>();
  for (const { place, served } of placed) {
    const methods = methodsByPath.get(place.path) ?? {};
    methods[place.method] =
      place.method === 'GET'
        ? createGet(served, options)
        : createPost(served, options, place.isSecret === true ? undefined : options.keys);
    methodsByPath.set(place.path, methods);
  }
  return [...methodsByPath].map(([path, methods]) => ({ path, methods, isApi: true }));
}

function createGet(served: ServedOperation, { publicOrigin }: RestOptions): RouteHandler {
  const readQuery = lazily(() => createQueryReader(served.inputSchema));
  return (context) => {
    if (!open(context, served)) return undefined;
    const { input, faults } = readQuery()(context.request.url ?? '');
    if (faults !== undefined) return context.answer(problemReply(describeInvalidFields(faults), context));
    context.nameCall(toolName(served.operation), input);
    const checked = served.check(input);
    if (!checked.isValid)
      return context.answer(problemReply(describeInvalidInput(checked.problems), context));
    return run(served, checked.value, context, publicOrigin).then((reply) => context.answer(reply));
  };
}

function createPost(
  served: ServedOperation,
  { bodyBytesMax, publicOrigin }: RestOptions,
  keys: IdempotencyKeys | undefined,
): RouteHandler {
  return (context) => {
    if (!open(context, served)) return;
    readJsonBody(context, bodyBytesMax, (body) => {
      if (!isJsonObject(body))
        return context.answer(problemReply(describeInvalidFields([NO_OBJECT]), context));
      context.nameCall(toolName(served.operation), body);
      const checked = served.check(body);
      if (!checked.isValid)
        return context.answer(problemReply(describeInvalidInput(checked.problems), context));
      const key = context.headers['idempotency-key'];
      if (key === undefined || keys === undefined)
        return run(served, checked.value, context, publicOrigin).then((reply) => context.answer(reply));
      if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
        return context.refuse(IDEMPOTENCY_KEY_INVALID);
      const answer = (): Promise<Reply> => run(served, checked.value, context, publicOrigin);
      return runOnce(answer, { name: served.operation.name, body, key }, context, keys);
    });
  };
}

const NO_OBJECT = { path: [], code: 'invalid_type', message: 'The body must be a JSON object.' } as const;

/**
 * Adds the API's headers and the request id to the response. Returns whether the caller's scopes permit the
 * operation; if not, the request has been answered.
 */
function open(context: RequestContext, { operation }: ServedOperation): boolean {
  const name = toolName(operation);
  context.nameRequest();
  context.nameCall(name, {});
  context.trace = traceRestCall(context.request, context.path);
  context.addHeaders(NO_STORE);
  const refusal = context.refusalFor({ name, effect: operation.effect });
  if (refusal !== undefined) context.refuse(refusal);
  return refusal === undefined;
}

/** Serves the first request with a key, and repeats its response for later requests. */
async function runOnce(
  runIt: () => Promise<Reply>,
  { name, body, key }: { name: string; body: unknown; key: string },
  context: RequestContext,
  keys: IdempotencyKeys,
): Promise<void> {
  // Callers that are authenticated have separate keys.
  const owner = context.caller === undefined ? [] : [context.caller.client];
  let claim: Claim;
  try {
    claim = await keys.claim(digestUse([name, context.token ?? '', key, ...owner], body));
  } catch (error) {
    return context.answer(problemReply(describeFailure(error), context));
  }
  if (claim.kind === 'in-use') return context.refuse(IDEMPOTENCY_KEY_IN_USE);
  if (claim.kind === 'reused') return context.refuse(IDEMPOTENCY_KEY_REUSED);
  if (claim.kind === 'answered') {
    context.addHeaders(['idempotent-replayed', 'true']);
    return context.answer(claim.reply);
  }
  let reply: Reply;
  try {
    reply = await runIt();
  } catch (bug) {
    await claim.settle(undefined);
    throw bug;
  }
  const failed = (error: unknown): Reply => problemReply(describeFailure(error), context);
  return context.answer(await claim.settle(reply).then(() => reply, failed));
}

async function run(
  served: ServedOperation,
  value: unknown,
  context: RequestContext,
  publicOrigin: string | undefined,
): Promise<Reply> {
  try {
    const { token, client, seen } = context;
    const paying = () => payingOf(context, publicOrigin);
    const { output, receipt } = await context.traced(() =>
      served.run(value, { token, client, seen, paying }),
    );
    const reply = jsonReply(JSON.stringify(output));
    return receipt === undefined ? reply : { ...reply, headers: receiptHeaders(receipt) };
  } catch (error) {
    if (error instanceof PaymentDemanded) return writeDemand(error.demand, context);
    return problemReply(describeFailure(error), context);
  }
}
