import { ERROR_CODES, type ErrorCode } from '../../errors/codes.ts';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import type { ArgumentProblems } from '../input/argument-problems.ts';
import type { InvalidField, Problem } from '../problem.ts';

/** URL that explains codes; the code is its fragment. */
const EXPLANATIONS = '/reference#';

/** The problem for arguments that do not match the operation's schema. */
export function describeInvalidInput({ problems, unnamedCount }: ArgumentProblems): Problem {
  const fields = problems.map(({ code, path, sentence }) => ({ code, path, message: sentence }));
  return describeInvalidFields(fields, unnamedCount);
}

/** The problem for an invalid input, with one entry per field. */
export function describeInvalidFields(fields: readonly InvalidField[], unnamedCount = 0): Problem {
  const [first] = fields;
  const count = fields.length + unnamedCount;
  return {
    ...describeCode('INVALID_ARGUMENTS'),
    detail: count === 1 && first !== undefined ? first.message : `${count} things are wrong with the input`,
    fields,
  };
}

/**
 * The problem for an error an operation threw.
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

/** Operations name the field of a failure in `context.field`: `destinations[1]` or `owner`. */
function fieldsOf({ context, message }: ServiceError): { fields?: readonly InvalidField[] } {
  const { field } = context;
  if (typeof field !== 'string') return {};
  const path = field.split(/[.[\]]+/).filter((step) => step !== '');
  return { fields: [{ code: 'custom', path, message }] };
}
