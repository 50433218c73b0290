import { expect, it } from 'vitest';
import type { AccountField, FieldType } from '../answers.ts';
import { inWords } from './in-words.ts';

const field = (type: FieldType, value: AccountField['value']): AccountField => ({
  name: 'one',
  label: 'One',
  value,
  type,
  offset: 0,
  length: 8,
});

it('calls an account by a name in words', () => {
  const titles = ['eata', 'lookup-table', 'vault'].map((kind) => inWords({ kind, fields: [] }).title);
  expect(titles).toEqual(['Ephemeral token account', 'Lookup table', 'Vault']);
  expect(inWords({ kind: 'unknown', bytes: 7 })).toEqual({ kind: 'unknown', bytes: 7, title: 'Account' });
});

it('writes slots, counts and flags, exactly, and leaves what the page draws by itself', () => {
  const fields = [
    field('slot', '18446744073709551615'),
    field('count', '-1000'),
    field('flag', true),
    field('flag', false),
    field('amount', '1000000'),
    field('address', 'abc'),
    field('count', null),
  ];
  const shown = inWords({ kind: 'vault', fields });
  expect('fields' in shown && shown.fields.map(({ type, value }) => [type, value])).toEqual([
    ['text', '18,446,744,073,709,551,615'],
    ['text', '-1,000'],
    ['text', 'yes'],
    ['text', 'no'],
    ['amount', '1000000'],
    ['address', 'abc'],
    ['count', null],
  ]);
});
