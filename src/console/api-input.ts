import type { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import { readJsonBody } from '../service/json-body.ts';
import { writeProblemBody } from '../service/problem.ts';
import type { RequestContext } from '../service/request-context.ts';
import { describeFailure } from '../service/rest/operation-failure.ts';
import type { ApiRoute } from './api-route.ts';

/** A path that takes JSON and answers with what `run` makes of it. */
export function createPostRoute<Input>(
  path: string,
  bytesMax: number,
  { input, run }: { readonly input: z.ZodType<Input>; readonly run: (given: Input) => unknown },
): ApiRoute {
  return {
    path,
    method: 'POST',
    serve: (context) =>
      readJsonBody(context, bytesMax, async (body) => {
        try {
          const value = await run(parse(input, body));
          context.answer({ status: 200, contentType: 'application/json', body: JSON.stringify(value) });
        } catch (error) {
          refuseWith(context, error);
        }
      }),
  };
}

/** @throws {ServiceError} INVALID_ARGUMENTS that names the first member at fault. */
function parse<Input>(input: z.ZodType<Input>, body: unknown): Input {
  const parsed = input.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  const place = field === '' ? 'The body' : field;
  throw new ServiceError('INVALID_ARGUMENTS', `${place}: ${issue?.message}`, field === '' ? {} : { field });
}

/**
 * Answers with why it cannot be done, as REST does.
 *
 * @throws whatever is no ServiceError: it is a bug.
 */
export function refuseWith(context: RequestContext, error: unknown): void {
  const problem = describeFailure(error);
  context.answer({
    status: problem.status,
    contentType: 'application/problem+json',
    body: writeProblemBody(problem, context.requestId, context.path),
  });
}
