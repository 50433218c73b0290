import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { writeInputSchema } from '../input/json-schema.ts';
import { createQueryReader } from './query-input.ts';

const Input = z.strictObject({
  mint: z.string(),
  amount: z.union([z.int(), z.string()]).optional(),
  force: z.boolean().optional(),
  limit: z.int().optional(),
  kind: z.enum(['a', 'b']).optional(),
});

const read = createQueryReader(writeInputSchema(Input));

describe('createQueryReader', () => {
  it.each([
    ['/x', {}],
    ['/x?', {}],
    ['/x?mint=abc&kind=a', { mint: 'abc', kind: 'a' }],
    ['/x?mint=a%20b+c%2Bd', { mint: 'a b c+d' }],
    ['/x?mint=a=b=c&&', { mint: 'a=b=c' }],
    ['/x?mint', { mint: '' }],
    ['/x?mint=1&amount=18446744073709551615', { mint: '1', amount: '18446744073709551615' }],
    ['/x?force=true', { force: true }],
    ['/x?force=false', { force: false }],
    ['/x?force=1', { force: '1' }],
    ['/x?force=True', { force: 'True' }],
    ['/x?limit=15', { limit: 15 }],
    ['/x?limit=-1.5', { limit: -1.5 }],
    ['/x?limit=0x10', { limit: '0x10' }],
    ['/x?limit=', { limit: '' }],
    ['/x?limit=1e3', { limit: '1e3' }],
    ['/x?unknown=1', { unknown: '1' }],
  ])('reads %s', (target, input) => {
    expect(read(target)).toEqual({ input });
  });

  it('reads __proto__ as an ordinary parameter', () => {
    const { input } = read('/x?__proto__=a');
    expect(Object.keys(input ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
  });

  it.each([
    ['/x?mint=a&mint=a', ['mint'], 'Parameter "mint" is passed more than once.'],
    ['/x?mint=%zz', [], 'The query is not percent-encoded UTF-8.'],
    ['/x?mint=%ff', [], 'The query is not percent-encoded UTF-8.'],
    ['/x?%ff=a', [], 'The query is not percent-encoded UTF-8.'],
  ])('rejects %s', (target, path, message) => {
    expect(read(target)).toEqual({ faults: [{ path, code: 'custom', message }] });
  });

  it('reports at most ten faults', () => {
    expect(read(`/x?${'a=1&'.repeat(100)}`).faults).toHaveLength(10);
  });

  it('cannot be created for inputs that a query cannot express', () => {
    const schema = writeInputSchema(z.strictObject({ destinations: z.array(z.string()) }));
    expect(() => createQueryReader(schema)).toThrow('a query cannot carry destinations');
  });
});
