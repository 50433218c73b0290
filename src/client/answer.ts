import { type Route, SERVICE_CODES } from './generated.ts';
import { type InvalidField, PaymentsError, type PaymentsErrorCode } from './payments-error.ts';

/** The members of a problem (RFC 9457) that the client reads. */
interface ProblemBody {
  readonly code: string;
  readonly detail: string;
  readonly requestId?: unknown;
  readonly errors?: unknown;
  readonly error?: { readonly details?: unknown };
}

/**
 * Reads the response to a call.
 *
 * @returns the operation's output, with bigints.
 * @throws {PaymentsError} the service's error; ANSWER_UNUSABLE if the response is not from the service or
 *   lacks a member.
 */
export async function readAnswer(response: Response, route: Route): Promise<object> {
  const { status } = response;
  const text = await readText(response);
  const body = text === null ? null : parse(text);
  if (response.ok) {
    if (body === null) throw unusable(response);
    requireMembers(body, route, status);
    readDecimals(body, route.decimals);
    return body;
  }
  if (body === null || !isProblem(body)) throw unusable(response);
  throw new PaymentsError(knownCode(body.code), body.detail, {
    status,
    serviceCode: body.code,
    requestId: typeof body.requestId === 'string' ? body.requestId : null,
    fields: Array.isArray(body.errors) ? (body.errors as InvalidField[]) : [],
    details: isRecord(body.error?.details) ? body.error.details : {},
    retryAfterMs: retryAfterOf(response),
  });
}

/** Rejects missing members, because a missing `exists`, for example, could be misread as false. */
function requireMembers(body: object, { path, required }: Route, status: number): void {
  const members = body as Record<string, unknown>;
  const missing = required.find((name) => (members[name] ?? null) === null);
  if (missing === undefined) return;
  throw new PaymentsError(
    'ANSWER_UNUSABLE',
    `The response to ${path} is missing ${missing}, which every response must have: the client and the service may be different versions`,
    { status },
  );
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const isProblem = (body: object): body is ProblemBody =>
  'code' in body && typeof body.code === 'string' && 'detail' in body && typeof body.detail === 'string';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads `Retry-After` in seconds (RFC 9110 section 10.2.3); null if there is none or it is a date. */
function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^[0-9]{1,9}$/.test(text) ? Number(text) * 1_000 : null;
}

/** Creates an error that does not quote the response, which may come from another server. */
function unusable(response: Response): PaymentsError {
  const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
  const why = isRedirect
    ? 'it is a redirect, which is not followed: set url to its target'
    : 'check that url points to the service';
  return new PaymentsError(
    'ANSWER_UNUSABLE',
    `The response (HTTP ${response.status}) is not from the service: ${why}`,
    { status: response.status, retryAfterMs: retryAfterOf(response) },
  );
}

/** Maximum size of a response, in bytes. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

/** Reads the text of a body; null if it is too long. */
async function readText({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > ANSWER_BYTES_MAX) {
      // Do not wait for the rest, which may be endless.
      reader.cancel().catch(() => undefined);
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

const DECIMAL = /^-?(?:0|[1-9][0-9]*)$/;

/**
 * Replaces the decimal strings at `paths` with bigints, in place.
 *
 * @param paths names joined by dots; `*` stands for each item of a list. A name that ends with `?` may be
 *   absent, and one that ends with `|null` may be null. Both are then left unchanged.
 * @throws {PaymentsError} ANSWER_UNUSABLE if a value is missing or not a decimal string.
 */
export function readDecimals(answer: object, paths: readonly string[]): void {
  for (const path of paths) replace(answer, path.split('.'), path);
}

/** A name in a path, and whether it may be absent or null. */
const STEP = /^(.*?)(\?)?(\|null)?$/;

function replace(at: unknown, [step = '', ...rest]: readonly string[], path: string): void {
  if (typeof at !== 'object' || at === null) throw notDecimal(path);
  if (step === '*') {
    if (!Array.isArray(at)) throw notDecimal(path);
    for (const each of at) replace(each, rest, path);
    return;
  }
  const [, name = '', mayBeAbsent, mayBeNull] = STEP.exec(step) ?? [];
  const members = at as Record<string, unknown>;
  const value = members[name];
  if (value === undefined && mayBeAbsent !== undefined) return;
  if (value === null && mayBeNull !== undefined) return;
  if (rest.length > 0) replace(value, rest, path);
  else members[name] = toBigInt(value, path);
}

function toBigInt(text: unknown, path: string): bigint {
  if (typeof text !== 'string' || !DECIMAL.test(text)) throw notDecimal(path);
  return BigInt(text);
}

const notDecimal = (path: string): PaymentsError =>
  new PaymentsError(
    'ANSWER_UNUSABLE',
    `${path.replace(/\?|\|null/g, '')} of the response is not a decimal string: the client and the service may be different versions`,
  );

const KNOWN: ReadonlySet<string> = new Set(SERVICE_CODES);

/** Returns `code`, or UNKNOWN_CODE if this version of the client does not have it. */
const knownCode = (code: string): PaymentsErrorCode =>
  KNOWN.has(code) ? (code as PaymentsErrorCode) : 'UNKNOWN_CODE';
