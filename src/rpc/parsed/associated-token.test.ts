import { describe, expect, it } from 'vitest';
import { ASSOCIATED_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { ACCOUNTS, parseCall } from '../testing/parse-call.ts';

const [A, B, C, D, E, F, G] = ACCOUNTS;
const created = { source: A, account: B, wallet: C, mint: D, systemProgram: E, tokenProgram: F };

describe('Associated Token Account instructions', () => {
  it.each<[string, number[], number, object]>([
    ['create', [], 6, created],
    ['create', [0], 6, created],
    ['createIdempotent', [1], 6, created],
    [
      'recoverNested',
      [2],
      7,
      {
        nestedSource: A,
        nestedMint: B,
        destination: C,
        nestedOwner: D,
        ownerMint: E,
        wallet: F,
        tokenProgram: G,
      },
    ],
  ])('shows %s for the data %j', (type, data, accountsMin, info) => {
    expect(parseCall(ASSOCIATED_TOKEN_PROGRAM, accountsMin, data)).toEqual({ info, type });
    expect(parseCall(ASSOCIATED_TOKEN_PROGRAM, accountsMin - 1, data)).toBe('not parsed');
  });

  it.each([[[3]], [[255]], [[1, 0]]])('does not parse the data %j', (data) => {
    expect(parseCall(ASSOCIATED_TOKEN_PROGRAM, 8, data)).toBe('not parsed');
  });
});
