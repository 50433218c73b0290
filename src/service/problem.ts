import { writeHostedError } from './hosted-error.ts';
import { replyFrame, type Refusal } from './refusal.ts';
import type { Reply } from './reply.ts';

/** An invalid field of the input. */
export interface InvalidField {
  /** Names and indices from the input down; empty if the whole input is invalid. */
  readonly path: readonly (string | number)[];
  /** The kind of fault. */
  readonly code: string;
  readonly message: string;
}

/** A failure, as far as the caller may know it. */
export interface Problem {
  readonly status: number;
  /** Stable; for programs. */
  readonly code: string;
  /** The same for every occurrence of the code. */
  readonly title: string;
  /** What happened this time, and what to change. */
  readonly detail: string;
  /** A URL that explains the code; by default the HTTP status is all there is. */
  readonly type?: string;
  readonly fields?: readonly InvalidField[];
  /** Further facts; for programs. */
  readonly details?: object;
}

/** How many characters of a caller's name are quoted in a pointer. */
const ECHOED_STEP_MAX = 64;

/**
 * RFC 9457 problem details of a request, with the extension members `code`, `requestId` and `errors`, and
 * with the hosted API's `error` for its clients.
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

/** A JSON Pointer as a URI fragment (RFC 6901 section 6), as used by RFC 9457: `#/destinations/0`. */
function toPointer(path: readonly (string | number)[]): string {
  return `#${path.map((step) => `/${escapeStep(String(step).slice(0, ECHOED_STEP_MAX))}`).join('')}`;
}

function escapeStep(step: string): string {
  // A lone surrogate has no UTF-8 form and thus no percent-encoding.
  const wellFormed = step.replace(/\p{Surrogate}/gu, '\uFFFD');
  return encodeURIComponent(wellFormed.replaceAll('~', '~0').replaceAll('/', '~1'));
}
