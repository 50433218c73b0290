import { readText } from './body.ts';
import { readDecimals } from './decimals.ts';
import type { Route } from './generated.ts';
import { knownCode } from './known-code.ts';
import { PaymentsError, type InvalidField } from './payments-error.ts';

/** A problem of the service (RFC 9457), as far as it is read. */
interface ProblemBody {
  readonly code: string;
  readonly detail: string;
  readonly requestId?: unknown;
  readonly errors?: unknown;
  readonly error?: { readonly details?: unknown };
}

/**
 * Reads the answer to a call.
 *
 * @returns the operation's output, with bigints.
 * @throws {PaymentsError} what the service failed with; ANSWER_UNUSABLE if the answer is none of a service,
 *   or a member of it is missing.
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

/** What is missing would be taken for a no, or for nothing at all: `exists` of a handle, `outcome`. */
function requireMembers(body: object, { path, required }: Route, status: number): void {
  const members = body as Record<string, unknown>;
  const missing = required.find((name) => (members[name] ?? null) === null);
  if (missing === undefined) return;
  throw new PaymentsError(
    'ANSWER_UNUSABLE',
    `The service answered ${path} without ${missing}, which every answer has`,
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

/** `Retry-After` in seconds (RFC 9110 section 10.2.3). Its other form, a date, counts as absent. */
function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^[0-9]{1,9}$/.test(text) ? Number(text) * 1_000 : null;
}

/** What somebody else wrote is not repeated: it may hold anything. */
function unusable(response: Response): PaymentsError {
  const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
  const why = isRedirect
    ? 'it leads elsewhere, and a token is not sent there: let url be the final one'
    : 'look whether url is that of the service';
  return new PaymentsError(
    'ANSWER_UNUSABLE',
    `The answer (HTTP ${response.status}) is not one of the service: ${why}`,
    { status: response.status, retryAfterMs: retryAfterOf(response) },
  );
}
