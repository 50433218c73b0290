import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeArgumentProblems, findArgumentProblems } from './argument-problems.ts';
import type { JsonObject } from './json-object.ts';
import { writeInputSchema } from './json-schema.ts';

const Arguments = z.strictObject({
  owner: z.string().describe('Address of the owner, base58.'),
  amount: z.union([z.int().min(1), z.string().regex(/^\d+$/)]).describe('Base units'),
  kind: z.enum(['public', 'private']).optional(),
  split: z
    .array(z.strictObject({ to: z.string() }))
    .optional()
    .describe('Parts'),
});

function describeProblems(args: JsonObject, schema: z.ZodType = Arguments): readonly string[] {
  const { error } = schema.safeParse(args);
  return describeArgumentProblems(
    findArgumentProblems(error?.issues ?? [], { args, schema: writeInputSchema(schema) }),
  );
}

const GOOD = { owner: 'abc', amount: 1 };

describe('describeArgumentProblems', () => {
  it.each<readonly [string, JsonObject, readonly string[]]>([
    ['no faults', GOOD, []],
    [
      'missing arguments',
      {},
      [
        'Argument "owner" is missing. Expected: Address of the owner, base58.',
        'Argument "amount" is missing. Expected: Base units.',
      ],
    ],
    [
      'a wrong type',
      { ...GOOD, owner: 5 },
      [
        'Argument "owner" is not valid: Invalid input: expected string, received number. Expected: Address of the owner, base58.',
      ],
    ],
    [
      'a value that matches no alternative',
      { ...GOOD, amount: false },
      ['Argument "amount" is not valid: Invalid input. Expected: Base units.'],
    ],
    [
      'an invalid choice for an argument without a description',
      { ...GOOD, kind: 'secret' },
      ['Argument "kind" is not valid: Invalid option: expected one of "public"|"private".'],
    ],
    [
      'a fault inside an argument',
      { ...GOOD, split: [{ to: 'a' }, { to: 5 }] },
      [
        'Argument "split.1.to" is not valid: Invalid input: expected string, received number. Expected: Parts.',
      ],
    ],
    [
      'a missing member inside an argument',
      { ...GOOD, split: [{}] },
      ['Argument "split.0.to" is missing. Expected: Parts.'],
    ],
    ['a misspelling', { ...GOOD, kynd: 'public' }, ['Argument "kynd" is not known. Did you mean "kind"?']],
    [
      'an unknown name',
      { ...GOOD, validator: 'x' },
      ['Argument "validator" is not known. Known arguments: owner, amount, kind, split.'],
    ],
    [
      '__proto__',
      JSON.parse('{"owner":"abc","amount":1,"__proto__":{"kind":"x"}}') as JsonObject,
      ['Argument "__proto__" is not known. Known arguments: owner, amount, kind, split.'],
    ],
  ])('%s', (_name, args, sentences) => {
    expect(describeProblems(args)).toEqual(sentences);
  });

  it('reports missing arguments', () => {
    expect(describeProblems({ a: 1 }, z.strictObject({}))).toEqual([
      'Argument "a" is not known. Known arguments: none.',
    ]);
  });

  it('uses the messages of a schema that has its own', () => {
    const schema = z.strictObject({
      owner: z.string().refine(() => false, 'is off the curve, so nobody can sign.'),
    });
    expect(describeProblems({ owner: 'x' }, schema)).toEqual([
      'Argument "owner" is not valid: is off the curve, so nobody can sign.',
    ]);
  });

  it('reports faults between arguments', () => {
    const schema = z
      .strictObject({ a: z.int(), b: z.int() })
      .refine(({ a, b }) => a < b, 'a must be less than b');
    expect(describeProblems({ a: 2, b: 1 }, schema)).toEqual([
      'The arguments are not valid: a must be less than b.',
    ]);
  });

  it('reports at most ten problems and truncates long names', () => {
    const args = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`${'x'.repeat(1_000)}${index}`, 1]),
    );
    const sentences = describeProblems({ ...GOOD, ...args });
    expect(sentences).toHaveLength(11);
    expect(sentences.at(-1)).toBe('There are 20 more problems.');
    expect(sentences[0]?.length).toBeLessThan(200);
  });
});
