import type { z } from 'zod';
import { isJsonObject, type JsonObject } from './json-rpc.ts';
import type { ObjectSchema } from './json-schema.ts';
import { findNearestName } from './nearest-name.ts';

/** How many problems are told at once; a caller mends a few and tries again. */
const PROBLEMS_MAX = 10;

/** How much of a name the caller sent is repeated to it. */
const ECHOED_NAME_MAX = 64;

type Issue = z.core.$ZodIssue;

/**
 * Says what is wrong with arguments: one sentence for each problem, naming the argument and what it should be.
 *
 * @param issues what zod found.
 * @param schema the arguments' JSON Schema; the descriptions of its properties tell what is expected.
 */
export function describeArgumentProblems(
  issues: readonly Issue[],
  args: JsonObject,
  schema: ObjectSchema,
): readonly string[] {
  const problems = issues.flatMap((issue) => describeIssue(issue, args, schema));
  const rest = problems.length - PROBLEMS_MAX;
  return rest > 0 ? [...problems.slice(0, PROBLEMS_MAX), `There are ${rest} more problems.`] : problems;
}

function describeIssue(issue: Issue, args: JsonObject, schema: ObjectSchema): readonly string[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    const known = Object.keys(schema.properties);
    return issue.keys.map((key) => describeUnknown(key, known));
  }
  if (issue.path.length === 0) return [`The arguments are not valid: ${withoutStop(issue.message)}.`];
  const name = quote(issue.path.map(String).join('.'));
  const expected = expectation(schema, issue.path[0]);
  if (valueAt(args, issue.path) === undefined) return [`Argument ${name} is missing.${expected}`];
  return [`Argument ${name} is not valid: ${withoutStop(issue.message)}.${expected}`];
}

function describeUnknown(key: string, known: readonly string[]): string {
  const nearest = findNearestName(key, known);
  const mend =
    nearest === undefined
      ? `Known arguments: ${known.join(', ') || 'none'}.`
      : `Did you mean ${quote(nearest)}?`;
  return `Argument ${quote(key)} is not known. ${mend}`;
}

function expectation(schema: ObjectSchema, name: PropertyKey | undefined): string {
  const description = name === undefined ? undefined : schema.properties[String(name)]?.['description'];
  return typeof description === 'string' ? ` Expected: ${withoutStop(description)}.` : '';
}

function valueAt(args: JsonObject, path: readonly PropertyKey[]): unknown {
  let value: unknown = args;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
  }
  return value;
}

function quote(name: string): string {
  return JSON.stringify(name.length > ECHOED_NAME_MAX ? `${name.slice(0, ECHOED_NAME_MAX)}...` : name);
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
