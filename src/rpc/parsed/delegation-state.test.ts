import { describe, expect, it } from 'vitest';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseState } from './testing/parse-state.ts';

const [A, B] = [addressFilledWith(1), addressFilledWith(2)];
const u64s = (...values: number[]): number[] => values.flatMap((value) => littleEndian(value, 8));

const parse = (data: number[]): unknown => parseState(DELEGATION_PROGRAM, data);

describe('accounts of the delegation program', () => {
  it('show a delegation record, including actions after it', () => {
    const record = [...u64s(100), ...filled(1), ...filled(2), ...u64s(42, 2_039_280, 30_000)];
    const parsed = {
      info: { authority: A, commitFrequencyMs: 30_000n, delegationSlot: 42n, lamports: 2_039_280n, owner: B },
      type: 'delegationRecord',
    };
    expect(parse(record)).toEqual(parsed);
    expect(parse([...record, 1, 2, 3])).toEqual(parsed);
    expect(parse(record.slice(0, -1))).toBe('not parsed');
  });

  it('show how to return an account', () => {
    const seeds = [...littleEndian(1, 4), ...littleEndian(3, 4), 1, 2, 3];
    expect(parse([...u64s(102, 7), 2, ...seeds, ...filled(1)])).toEqual({
      info: {
        commitNonce: 7n,
        rentPayer: A,
        seeds: [['AQID', 'base64']],
        undelegationRequester: 'ownerProgram',
      },
      type: 'delegationMetadata',
    });
  });

  it('show a commit record', () => {
    expect(parse([...u64s(101), ...filled(1), ...filled(2), ...u64s(3, 4)])).toEqual({
      info: { account: B, lamports: 4n, nonce: 3n, validator: A },
      type: 'commitRecord',
    });
  });

  it.each<[string, number[]]>([
    ['no bytes', []],
    ['a delegated account of another program', Array.from({ length: 165 }, () => 3)],
    ['a fees vault', u64s(103)],
  ])('are not parsed from %s', (_, data) => {
    expect(parse(data)).toBe('not parsed');
  });
});
