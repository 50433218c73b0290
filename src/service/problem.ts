import { writeHostedError } from './hosted-error.ts';
import { replyFrame, type Refusal } from './refusal.ts';
import type { Reply } from './reply.ts';

/** One field of the input that is not as it should be. */
export interface InvalidField {
  /** Names and indexes from the input down; empty when it concerns all of it. */
  readonly path: readonly (string | number)[];
  /** Kind of the fault. */
  readonly code: string;
  readonly message: string;
}

/** A failure, as much of it as the caller may know. */
export interface Problem {
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  /** The same for every occurrence of the code. */
  readonly title: string;
  /** What happened this time and what to do about it. */
  readonly detail: string;
  /** Where the code is explained; by default the HTTP status says it all. */
  readonly type?: string;
  readonly fields?: readonly InvalidField[];
  /** Further facts, for programs. */
  readonly details?: object;
}

/** How much of a name in a pointer is repeated; the caller chose it. */
const ECHOED_STEP_MAX = 64;

/**
 * RFC 9457 problem details of one request, with `code`, `requestId` and `errors` as extension members, and
 * the hosted API's `error` beside them so that its clients find what they look for.
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

/** Words a refusal as problem details. */
export function writeProblem(refusal: Refusal, requestId: string, path: string): Reply {
  return {
    ...replyFrame(refusal),
    body: writeProblemBody(refusal, requestId, path),
    contentType: 'application/problem+json',
  };
}

/**
 * A JSON Pointer as the fragment of a URI (RFC 6901 section 6), as RFC 9457 writes it: `#/destinations/0`.
 */
function toPointer(path: readonly (string | number)[]): string {
  return `#${path.map((step) => `/${escapeStep(String(step).slice(0, ECHOED_STEP_MAX))}`).join('')}`;
}

function escapeStep(step: string): string {
  // A lone surrogate has no UTF-8 and so no percent-encoding.
  const wellFormed = step.replace(/\p{Surrogate}/gu, '\uFFFD');
  return encodeURIComponent(wellFormed.replaceAll('~', '~0').replaceAll('/', '~1'));
}
