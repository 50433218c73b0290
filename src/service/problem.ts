import { ERROR_CODES, type ErrorCode } from '../errors/codes.ts';
import { isServiceError, type ServiceError } from '../errors/service-error.ts';
import type { ArgumentProblems } from './input/argument-problems.ts';
import { type Refusal, replyFrame } from './refusal.ts';
import type { Reply } from './reply.ts';

/** The error object in the format of the hosted Private Payments API. */
interface HostedError {
  readonly code: string;
  readonly message: string;
  readonly details?: object;
  /** The invalid fields; only in validation errors. */
  readonly issues?: readonly InvalidField[];
}

/** Codes with a different name in the hosted API. Other codes have the same name or do not exist there. */
const HOSTED_CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_ARGUMENTS: 'VALIDATION_ERROR',
  INVALID_ADDRESS: 'INVALID_PUBLIC_KEY',
  CLUSTER_NOT_ALLOWED: 'INVALID_CLUSTER',
  CONFIG_INVALID: 'CONFIG_ERROR',
  UPSTREAM_UNAVAILABLE: 'RPC_ERROR',
  UPSTREAM_INVALID: 'RPC_ERROR',
  UPSTREAM_REJECTED: 'RPC_ERROR',
  UPSTREAM_RATE_LIMITED: 'RPC_ERROR',
  UPSTREAM_TIMEOUT: 'RPC_ERROR',
};

/** Writes a failure with the hosted API's code and format. */
function writeHostedError({ code, detail, details, fields = [] }: Problem): HostedError {
  const hostedCode = HOSTED_CODES[code as ErrorCode] ?? code;
  if (hostedCode === 'VALIDATION_ERROR') {
    return { code: hostedCode, message: 'Request validation failed', issues: fields };
  }
  return { code: hostedCode, message: detail, ...(details === undefined ? {} : { details }) };
}

/** An invalid field of the input. */
export interface InvalidField {
  /** Names and indices from the input down; empty for the input itself. */
  readonly path: readonly (string | number)[];
  /** The kind of error. */
  readonly code: string;
  readonly message: string;
}

/** A failure as the caller sees it. */
export interface Problem {
  readonly status: number;
  /** Stable code for programs. */
  readonly code: string;
  /** Title of the problem, the same for every occurrence of the code. */
  readonly title: string;
  /** Explains what happened and what to change. */
  readonly detail: string;
  /** URL that explains the code. Default `about:blank`. */
  readonly type?: string;
  readonly fields?: readonly InvalidField[];
  /** Further facts for programs. */
  readonly details?: object;
}

/** Maximum length of a name in a pointer, in UTF-16 units. */
const ECHOED_STEP_MAX = 64;

/**
 * Writes RFC 9457 problem details with the extension members `code`, `requestId` and `errors`, and with
 * `error` in the format of the hosted API.
 */
export function writeProblemBody(problem: Problem, requestId: string, path: string): string {
  const { type = 'about:blank', title, status, detail, code, fields } = problem;
  return JSON.stringify({
    type,
    title,
    status,
    detail,
    instance: `${path}#${requestId}`,
    code,
    requestId,
    errors: fields?.map((field) => ({ pointer: toPointer(field.path), message: field.message })),
    error: writeHostedError(problem),
  });
}

/** Writes a refusal as problem details. */
export function writeProblem(refusal: Refusal, requestId: string, path: string): Reply {
  return {
    ...replyFrame(refusal),
    body: writeProblemBody(refusal, requestId, path),
    contentType: 'application/problem+json',
  };
}

/** Writes a JSON Pointer as a URI fragment (RFC 6901 section 6), as RFC 9457 does: `#/destinations/0`. */
function toPointer(path: readonly (string | number)[]): string {
  return `#${path.map((step) => `/${escapeStep(String(step).slice(0, ECHOED_STEP_MAX))}`).join('')}`;
}

function escapeStep(step: string): string {
  // A lone surrogate has no UTF-8 form, so it cannot be percent-encoded.
  const wellFormed = step.replace(/\p{Surrogate}/gu, '\uFFFD');
  return encodeURIComponent(wellFormed.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** URL of the explanations of codes. The code is the fragment. */
const EXPLANATIONS = '/reference#';

/** Describes arguments that do not match the operation's schema. */
export function describeInvalidInput({ problems, unnamedCount }: ArgumentProblems): Problem {
  const fields = problems.map(({ code, path, sentence }) => ({ code, path, message: sentence }));
  return describeInvalidFields(fields, unnamedCount);
}

/** Describes an invalid input, with one entry per field. */
export function describeInvalidFields(fields: readonly InvalidField[], unnamedCount = 0): Problem {
  const [first] = fields;
  const count = fields.length + unnamedCount;
  return {
    ...describeCode('INVALID_ARGUMENTS'),
    detail: count === 1 && first !== undefined ? first.message : `The input has ${count} problems`,
    fields,
  };
}

/**
 * Describes an error that an operation threw.
 *
 * @throws anything that is not a ServiceError, because it is a bug.
 */
export function describeFailure(error: unknown): Problem {
  if (!isServiceError(error)) throw error;
  const { code, message, context } = error;
  return {
    ...describeCode(code),
    detail: message,
    ...(Object.keys(context).length > 0 ? { details: context } : {}),
    ...fieldsOf(error),
  };
}

function describeCode(code: ErrorCode): Pick<Problem, 'status' | 'code' | 'title' | 'type'> {
  const { http, title } = ERROR_CODES[code];
  return { status: http, code, title, type: EXPLANATIONS + code };
}

/** Reads the field of a failure from `context.field`, such as `destinations[1]` or `owner`. */
function fieldsOf({ context, message }: ServiceError): { fields?: readonly InvalidField[] } {
  const { field } = context;
  if (typeof field !== 'string') return {};
  const path = field.split(/[.[\]]+/).filter((step) => step !== '');
  return { fields: [{ code: 'custom', path, message }] };
}
