import type { z } from 'zod';
import { quoted } from '../../errors/quoted-text.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import type { ObjectSchema } from './json-schema.ts';
import { findNearestName } from './nearest-name.ts';

/** How many problems are told at once; a caller mends a few and tries again. */
const PROBLEMS_MAX = 10;

/** How much of a name the caller sent is repeated to it. */
const ECHOED_NAME_MAX = 64;

type Issue = z.core.$ZodIssue;

/** One thing that is wrong with arguments. */
interface ArgumentProblem {
  /** Kind of the fault, in zod's words (`invalid_type`, `unrecognized_keys`, `custom` ...). */
  readonly code: string;
  /** Where it is, from the object of all arguments down; empty when it concerns them together. */
  readonly path: readonly (string | number)[];
  /** What is wrong and what is expected instead. */
  readonly sentence: string;
}

/** What is wrong with arguments: the first problems, and how many more there are. */
export interface ArgumentProblems {
  readonly problems: readonly ArgumentProblem[];
  readonly unnamedCount: number;
}

/**
 * Says what is wrong with arguments, naming the argument and what it should be.
 *
 * @param issues what zod found.
 * @param schema the arguments' JSON Schema; the descriptions of its properties tell what is expected.
 */
export function findArgumentProblems(
  issues: readonly Issue[],
  args: JsonObject,
  schema: ObjectSchema,
): ArgumentProblems {
  const faults = issues.flatMap((issue) => splitIssue(issue));
  return {
    problems: faults.slice(0, PROBLEMS_MAX).map((fault) => ({
      code: fault.issue.code,
      path: fault.path,
      sentence: describeFault(fault, args, schema),
    })),
    unnamedCount: Math.max(0, faults.length - PROBLEMS_MAX),
  };
}

/** The problems as sentences for people. */
export function describeArgumentProblems({ problems, unnamedCount }: ArgumentProblems): readonly string[] {
  const sentences = problems.map(({ sentence }) => sentence);
  return unnamedCount > 0 ? [...sentences, `There are ${unnamedCount} more problems.`] : sentences;
}

interface Fault {
  readonly issue: Issue;
  readonly path: readonly (string | number)[];
  readonly isUnknown: boolean;
}

/** One fault for each place: zod tells of all unknown members of an object in one issue. */
function splitIssue(issue: Issue): readonly Fault[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  if (issue.code !== 'unrecognized_keys' || path.length > 0) return [{ issue, path, isUnknown: false }];
  return issue.keys.map((key) => ({ issue, path: [key], isUnknown: true }));
}

function describeFault({ issue, path, isUnknown }: Fault, args: JsonObject, schema: ObjectSchema): string {
  if (isUnknown) return describeUnknown(String(path[0]), Object.keys(schema.properties));
  if (path.length === 0) return `The arguments are not valid: ${withoutStop(issue.message)}.`;
  const name = quote(path.join('.'));
  const expected = expectation(schema, path[0]);
  if (valueAt(args, path) === undefined) return `Argument ${name} is missing.${expected}`;
  return `Argument ${name} is not valid: ${withoutStop(messageOf(issue))}.${expected}`;
}

/** Zod repeats names of the caller's as they are; nothing else in its messages is the caller's. */
function messageOf(issue: Issue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  return `it has members that are not known: ${issue.keys.map(quote).join(', ')}`;
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

const quote = (name: string): string => quoted(name, ECHOED_NAME_MAX);

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
