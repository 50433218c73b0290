import type { z } from 'zod';
import { findNearestName } from '../../errors/nearest-name.ts';
import { quoted } from '../../errors/quoted-text.ts';
import type { SuggestValue } from '../../payments/fields/suggest-value.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import type { ObjectSchema } from './json-schema.ts';

/** Maximum number of reported problems. */
const PROBLEMS_MAX = 10;

/** Maximum length of a quoted name, in UTF-16 units. */
const ECHOED_NAME_MAX = 64;

type Issue = z.core.$ZodIssue;

/** One fault in the arguments. */
interface ArgumentProblem {
  /** Zod's code for the fault (`invalid_type`, `unrecognized_keys`, `custom`, ...). */
  readonly code: string;
  readonly path: readonly (string | number)[];
  /** Says what is wrong and what is expected. */
  readonly sentence: string;
}

/** The first faults in the arguments, and the number of other faults. */
export interface ArgumentProblems {
  readonly problems: readonly ArgumentProblem[];
  readonly unnamedCount: number;
}

interface ArgumentContext {
  readonly args: JsonObject;
  /** The JSON Schema of the arguments. Its descriptions state the expected values. */
  readonly schema: ObjectSchema;
  readonly suggest?: SuggestValue | undefined;
}

/**
 * Describes the faults in the arguments, with their names and the expected values.
 *
 * @param issues the issues that zod found.
 */
export function findArgumentProblems(issues: readonly Issue[], context: ArgumentContext): ArgumentProblems {
  const faults = issues.flatMap((issue) => splitIssue(issue));
  return {
    problems: faults.slice(0, PROBLEMS_MAX).map((fault) => ({
      code: fault.issue.code,
      path: fault.path,
      sentence: describeFault(fault, context),
    })),
    unnamedCount: Math.max(0, faults.length - PROBLEMS_MAX),
  };
}

/** Returns the problems as sentences. */
export function describeArgumentProblems({ problems, unnamedCount }: ArgumentProblems): readonly string[] {
  const sentences = problems.map(({ sentence }) => sentence);
  return unnamedCount > 0 ? [...sentences, `There are ${unnamedCount} more problems.`] : sentences;
}

interface Fault {
  readonly issue: Issue;
  readonly path: readonly (string | number)[];
  readonly isUnknown: boolean;
}

/** Splits zod's issue for all unknown members of an object into one fault per member. */
function splitIssue(issue: Issue): readonly Fault[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  if (issue.code !== 'unrecognized_keys' || path.length > 0) return [{ issue, path, isUnknown: false }];
  return issue.keys.map((key) => ({ issue, path: [key], isUnknown: true }));
}

function describeFault({ issue, path, isUnknown }: Fault, context: ArgumentContext): string {
  const { args, schema, suggest } = context;
  if (isUnknown) return describeUnknown(String(path[0]), args, Object.keys(schema.properties));
  if (path.length === 0) return `The arguments are not valid: ${withoutStop(issue.message)}.`;
  const name = quote(path.join('.'));
  const expected = expectation(schema, path[0]);
  if (valueAt(args, path) === undefined) return `Argument ${name} is missing.${expected}`;
  const suggestion = path.length === 1 ? suggest?.(String(path[0]), valueAt(args, path), args) : undefined;
  const hint = suggestion === undefined ? '' : ` ${suggestion}`;
  return `Argument ${name} is not valid: ${withoutStop(messageOf(issue))}.${hint}${expected}`;
}

/** Shortens unknown names, the only part of zod's messages that comes from the caller. */
function messageOf(issue: Issue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  return `it has unknown members: ${issue.keys.map(quote).join(', ')}`;
}

/** Names that callers confuse with each other. */
const CONFUSED: readonly (readonly string[])[] = [
  ['owner', 'address', 'from', 'payer', 'authority', 'wallet', 'sender', 'pubkey', 'publicKey'],
  ['to', 'recipient', 'receiver', 'destination'],
  ['mint', 'token', 'tokenMint', 'asset', 'currency'],
  ['amount', 'value', 'quantity'],
  ['transactionBase64', 'transaction', 'tx', 'signedTransaction', 'rawTransaction'],
];

function describeUnknown(key: string, args: JsonObject, known: readonly string[]): string {
  const confused = CONFUSED.find((names) => names.includes(key)) ?? [];
  const absent = known.filter((name) => args[name] === undefined);
  const nearest = findNearestName(key, known) ?? absent.find((name) => confused.includes(name));
  const fix =
    nearest === undefined
      ? `Known arguments: ${known.join(', ') || 'none'}.`
      : `Did you mean ${quote(nearest)}?`;
  return `Argument ${quote(key)} is not known. ${fix}`;
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
