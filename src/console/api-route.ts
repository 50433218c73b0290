import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import { readJsonBody } from '../service/json-body.ts';
import { describeFailure, writeProblemBody } from '../service/problem.ts';
import type { RequestContext } from '../service/request-context.ts';
import { type Address, isAddress } from '../solana/address.ts';

/** A route of the page's API. */
export interface ApiRoute {
  /** The exact path, below `/console/api/`. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** Responds through `context`; only a stream writes to `response`. */
  serve(context: RequestContext, response: ServerResponse): void | Promise<void>;
}

/** A base58 address in a body. */
export const ADDRESS = z
  .string()
  .refine(isAddress, { error: 'must be a base58 address' }) as unknown as z.ZodType<Address>;

/** Bytes in a body, as base64. */
export const BASE64_BYTES = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, {
    error: 'must be base64 (RFC 4648, with padding)',
  })
  .transform((text): Uint8Array => new Uint8Array(Buffer.from(text, 'base64')));

/** Creates a GET route that returns JSON. */
export function createReadRoute(
  path: string,
  read: (query: URLSearchParams) => object | Promise<object>,
): ApiRoute {
  return {
    path,
    method: 'GET',
    async serve(context) {
      const { url = '' } = context.request;
      const at = url.indexOf('?');
      answerWith(context, await read(new URLSearchParams(at < 0 ? '' : url.slice(at))));
    },
  };
}

/** Creates a POST route that accepts up to `bytesMax` bytes of JSON and returns the result of `run`. */
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
          answerWith(context, await run(parse(input, body)));
        } catch (error) {
          refuseWith(context, error);
        }
      }),
  };
}

function answerWith(context: RequestContext, value: unknown): void {
  context.answer({ status: 200, contentType: 'application/json', body: JSON.stringify(value) });
}

/** @throws {ServiceError} INVALID_ARGUMENTS with the first invalid member. */
function parse<Input>(input: z.ZodType<Input>, body: unknown): Input {
  const parsed = input.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  const place = field === '' ? 'The body' : field;
  throw new ServiceError('INVALID_ARGUMENTS', `${place}: ${issue?.message}`, field === '' ? {} : { field });
}

/**
 * Responds with problem details, like the REST API.
 *
 * @throws anything that is not a ServiceError, because it is a bug.
 */
export function refuseWith(context: RequestContext, error: unknown): void {
  const problem = describeFailure(error);
  context.answer({
    status: problem.status,
    contentType: 'application/problem+json',
    body: writeProblemBody(problem, context.requestId, context.path),
  });
}
