import { describe, expect, it } from 'vitest';
import { readPolicy } from './policy.ts';

describe('readPolicy()', () => {
  it('reads amounts as text, integers and bigints', () => {
    const mints = { SOL: { payment: '18446744073709551615', hour: 5, day: 6n }, mint: {} };
    expect(readPolicy({ mints, recipients: ['a'], accept: ['b'], approver: 'c', dryRun: true })).toEqual({
      mints: { SOL: { payment: 2n ** 64n - 1n, hour: 5n, day: 6n }, mint: {} },
      recipients: ['a'],
      accept: ['b'],
      approver: 'c',
      dryRun: true,
    });
  });

  it('copies the policy, so that later changes have no effect', () => {
    const recipients = ['a'];
    const policy = readPolicy({ mints: {}, recipients });
    recipients.push('b');
    expect(policy.recipients).toEqual(['a']);
  });

  it.each([
    [null, 'the policy must be an object'],
    [[], 'the policy must be an object'],
    [{}, 'mints must be an object'],
    [
      { mints: {}, recipents: [] },
      'the policy has no member recipents: the members are mints, recipients, programs, validators, accept, approver, dryRun',
    ],
    [
      { mints: { SOL: { max: 1 } } },
      'mints.SOL has no member max: the members are payment, hour, day, askAbove',
    ],
    [{ mints: { SOL: 5 } }, 'mints.SOL must be an object'],
    [{ mints: {}, programs: 'abc' }, 'programs must be an array of strings'],
    [{ mints: {}, approver: 5 }, 'approver must be the address of a wallet'],
    [{ mints: {}, dryRun: 'no' }, 'dryRun must be true or false'],
  ])('rejects %j', (given, message) => {
    expect(() => readPolicy(given)).toThrow(new TypeError(message));
  });

  it.each([NaN, 1.5, -1, -1n, '1.5', '', '-1', '0x10', null, true, 2 ** 53])(
    'rejects the amount %s',
    (hour) => {
      expect(() => readPolicy({ mints: { SOL: { hour } } })).toThrow(
        new TypeError('mints.SOL.hour must be a whole number of base units, such as "1500000"'),
      );
    },
  );
});
