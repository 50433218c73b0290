import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import type { ArgumentProblems } from '../input/argument-problems.ts';
import type { InvalidField, Problem } from '../problem.ts';
import { ERROR_CODES, type ErrorCode } from '../../errors/codes.ts';

/** Where the codes are explained; a code is the fragment. */
const EXPLANATIONS = '/reference#';

/** The problem with an input whose arguments are not what the operation takes. */
export function describeInvalidInput({ problems, unnamedCount }: ArgumentProblems): Problem {
  const fields = problems.map(({ code, path, sentence }) => ({ code, path, message: sentence }));
  return describeInvalidFields(fields, unnamedCount);
}

/** The problem with an input, one entry for each field that is not as it should be. */
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
 * The problem that an operation raised.
 *
 * @throws what is no ServiceError: it is a bug.
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

/** Operations name the field that a failure is about in `context.field`: `destinations[1]` or `owner`. */
function fieldsOf({ context, message }: ServiceError): { fields?: readonly InvalidField[] } {
  const { field } = context;
  if (typeof field !== 'string') return {};
  const path = field.split(/[.[\]]+/).filter((step) => step !== '');
  return { fields: [{ code: 'custom', path, message }] };
}
