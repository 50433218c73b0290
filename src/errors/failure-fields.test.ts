import { describe, expect, it } from 'vitest';
import { failureFields } from './failure-fields.ts';

describe('failureFields', () => {
  it('keeps the name and the frames of an error, and drops its message', () => {
    const fields = failureFields(new RangeError('owner 5x...\n    at nowhere'));
    expect(fields.error).toBe('RangeError');
    expect(fields.stack[0]).toContain('failure-fields.test.ts');
    expect(JSON.stringify(fields)).not.toContain('owner');
  });

  it('keeps the code of a system error, but no other code', () => {
    const fields = (code: unknown) => failureFields(Object.assign(new Error('x'), { code }));
    expect(fields('ECONNREFUSED').code).toBe('ECONNREFUSED');
    expect(fields('owner 5x')).not.toHaveProperty('code');
    expect(fields(7)).not.toHaveProperty('code');
  });

  it('omits the frames if they cannot be separated from the message', () => {
    const error = Object.assign(new Error('second'), { stack: 'Error: first\n    at f (file.js:1:1)' });
    expect(failureFields(error)).toEqual({ error: 'Error', stack: [] });
  });

  it.each([['a string'], [undefined], [null], [{ message: 'x' }]])(
    'returns only the type of %j',
    (thrown) => {
      expect(failureFields(thrown)).toEqual({ error: typeof thrown, stack: [] });
    },
  );
});
