import { describe, expect, it } from 'vitest';
import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseState } from './testing/parse-state.ts';

const authority = addressFilledWith(1);
const code = [0x7f, 0x45, 0x4c, 0x46];
const data = ['f0VMRg==', 'base64'];

const parse = (state: number, ...fields: number[][]): unknown =>
  parseState(BPF_LOADER_UPGRADEABLE, [...littleEndian(state, 4), ...fields.flat()]);

describe('accounts of the upgradeable loader', () => {
  it.each<[string, number, number[][], object | undefined]>([
    ['uninitialized', 0, [], undefined],
    ['buffer', 1, [[1], filled(1), code], { authority, data }],
    ['buffer', 1, [[0], code], { authority: null, data }],
    ['program', 2, [filled(1)], { programData: authority }],
    ['programData', 3, [littleEndian(42, 8), [1], filled(1), code], { authority, data, slot: 42n }],
    ['programData', 3, [littleEndian(42, 8), [0], code], { authority: null, data, slot: 42n }],
  ])('are shown: %s', (type, state, fields, info) => {
    expect(parse(state, ...fields)).toEqual(info === undefined ? { type } : { info, type });
    if (fields.length > 1) expect(parse(state)).toBe('not parsed');
  });

  it('are not parsed if the state is unknown or an option is invalid', () => {
    expect(parse(4)).toBe('not parsed');
    expect(parse(1, [2], filled(1))).toBe('not parsed');
  });
});
