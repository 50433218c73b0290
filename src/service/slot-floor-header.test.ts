import { expect, it } from 'vitest';
import { SlotFloorHeader } from './slot-floor-header.ts';

it('reads the slots of a request', () => {
  const header = new SlotFloorHeader('mainnet.base=312345678,\tmainnet-private.rollup=9876 ');
  expect([header.of('mainnet.base'), header.of('mainnet-private.rollup'), header.of('devnet.base')]).toEqual([
    312_345_678,
    9_876,
    undefined,
  ]);
  expect(header.text).toBeUndefined();
});

it.each([
  undefined,
  '',
  'mainnet.base',
  'mainnet.base=-1',
  'mainnet.base=1.5',
  'mainnet.base=1234567890123456',
  'mainnet.base=1, ',
  ['mainnet.base=1', 'mainnet.base=2'],
  `mainnet.base=1, ${'x'.repeat(1_024)}=1`,
])('ignores a header that is not a dictionary of integers (%j)', (text) => {
  expect(new SlotFloorHeader(text).of('mainnet.base')).toBeUndefined();
});

it('writes the reported slots, and not those of the request', () => {
  const header = new SlotFloorHeader('devnet.base=5');
  header.report('mainnet.base', 312_345_678);
  header.report('mainnet.rollup', 9_876);
  expect(header.text).toBe('mainnet.base=312345678, mainnet.rollup=9876');
});
