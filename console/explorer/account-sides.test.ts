import { describe, expect, it } from 'vitest';
import { absentWords, drawnOf, type Side } from './account-sides.ts';

const BASE: Side = {
  account: { data: ['', 'base64'], owner: 'token', lamports: 1, executable: false },
  decoded: { kind: 'token-account', title: 'Token account', fields: [] },
  slot: 7,
};
const ROLLUP: Side = { ...BASE, slot: 9 };

describe('an account on one ledger', () => {
  it('that the rollup does not have is never shown with data of base', () => {
    expect(drawnOf('rollup', { base: BASE, rollup: null })).toEqual({
      side: null,
      elsewhere: { ledger: 'base', side: BASE },
    });
    expect(drawnOf('base', { base: null, rollup: ROLLUP })).toEqual({
      side: null,
      elsewhere: { ledger: 'rollup', side: ROLLUP },
    });
  });

  it('contains the answer of that ledger', () => {
    const both = { base: BASE, rollup: ROLLUP };
    expect([drawnOf('rollup', both), drawnOf('base', both)]).toEqual([
      { side: ROLLUP, elsewhere: null },
      { side: BASE, elsewhere: null },
    ]);
    expect(drawnOf('rollup', { base: null, rollup: null })).toEqual({ side: null, elsewhere: null });
  });

  it('that does not exist is reported for the ledgers that said so', () => {
    const title = (...asked: Parameters<typeof absentWords>) => absentWords(...asked)[0];
    expect(title('rollup', 'anyone', 'base')).toBe('No account on the rollup');
    expect(title('base', 'owner', 'rollup')).toBe('No account on the base ledger');
    expect(title('rollup', 'anyone', null)).toBe('No account on either ledger');
    expect(absentWords('rollup', 'base', 'base')).toEqual([
      'Nothing',
      'The base ledger does not show accounts on the rollup.',
    ]);
  });
});
