import { describeFailure, type Problem, writeProblemBody } from './problem.ts';
import type { Reply } from './reply.ts';
import type { RequestContext } from './request-context.ts';

/** Headers of a failure, by code. A 401 must name the auth scheme (RFC 9110 section 11.6.1). */
const FAILURE_HEADERS: Readonly<Partial<Record<string, readonly string[]>>> = {
  SERVICE_BUSY: ['retry-after', '1'],
  UPSTREAM_RATE_LIMITED: ['retry-after', '1'],
  AUTH_REFUSED: ['www-authenticate', 'Bearer realm="rollup"'],
  MERCHANT_UNAUTHORIZED: ['www-authenticate', 'Bearer realm="payments"'],
  PAYMENT_UNAUTHORIZED: ['www-authenticate', 'Bearer realm="payments"'],
};

/** Creates the response to a failed call, and reports its code. */
export function problemReply(problem: Problem, context: RequestContext): Reply {
  const { status, code } = problem;
  context.noteCode(code);
  const headers = failureHeaders(problem);
  return {
    status,
    body: writeProblemBody(problem, context.requestId, context.path),
    contentType: 'application/problem+json',
    ...(headers === undefined ? {} : { headers }),
  };
}

/** Returns the headers of a failure, including an upstream's retry time. */
function failureHeaders({ code, details }: Problem): readonly string[] | undefined {
  const { retryAfterSeconds } = (details ?? {}) as { retryAfterSeconds?: unknown };
  if (code === 'UPSTREAM_RATE_LIMITED' && typeof retryAfterSeconds === 'number') {
    return ['retry-after', String(retryAfterSeconds)];
  }
  return FAILURE_HEADERS[code];
}

/** Sends the response of a call, or the problem that made it fail. */
export async function respond(context: RequestContext, answer: () => Promise<Reply>): Promise<void> {
  try {
    context.answer(await answer());
  } catch (error) {
    context.answer(problemReply(describeFailure(error), context));
  }
}
