import { describe, expect, it } from 'vitest';
import { findFaults } from './schema-faults.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    kind: { const: 'deposit' },
    sendTo: { enum: ['base', 'ephemeral'] },
    height: { type: 'integer', minimum: 0, maximum: 9 },
    owner: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    signers: { type: 'array', items: { $ref: '#/$defs/signer' } },
    name: { type: ['string', 'null'], description: 'Words.' },
  },
  required: ['kind'],
  $defs: { signer: { type: 'string' } },
};

describe('findFaults', () => {
  it.each([
    [{ kind: 'deposit' }, []],
    [{ kind: 'deposit', sendTo: 'base', height: 9, owner: null, signers: ['a'], name: null }, []],
    [{}, ['/kind is missing']],
    [[], [' is no object']],
    [{ kind: 'withdraw' }, ['/kind is not "deposit"']],
    [{ kind: 'deposit', sendTo: 'moon' }, ['/sendTo is none of ["base","ephemeral"]']],
    [{ kind: 'deposit', height: 1.5 }, ['/height is no integer']],
    [{ kind: 'deposit', height: -1 }, ['/height is under 0']],
    [{ kind: 'deposit', height: 10 }, ['/height is over 9']],
    [{ kind: 'deposit', owner: 1 }, ['/owner is none of what anyOf lists']],
    [{ kind: 'deposit', signers: ['a', 2] }, ['/signers/1 is no string']],
    [{ kind: 'deposit', name: 3 }, ['/name is no string,null']],
    [{ kind: 'deposit', more: 1 }, ['/more is not described']],
  ])('finds in %j: %j', (value, faults) => {
    expect(findFaults(SCHEMA, value)).toEqual(faults);
  });

  it('ignores no keyword', () => {
    expect(() => findFaults({ pattern: '^a' }, 'b')).toThrow('pattern is not known');
  });
});
