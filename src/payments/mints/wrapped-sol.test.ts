import { describe, expect, it } from 'vitest';
import { HOLDER } from '../../../test/ports/holder.ts';
import { describeInstruction } from '../../../test/vectors/instruction-text.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { LOCAL_RENT, Rent } from '../../solana/account.ts';
import { RENT_PDA, rentPdaLow } from '../fees/costs.ts';
import { findWrapNeeds, NO_WRAP, planWrap, wrapNotes } from './wrapped-sol.ts';

describe('findWrapNeeds', () => {
  it.each([
    [10n, 0n, 0n, 10n, 20_000_000n],
    [10n, 9n, 19_999_999n, 1n, 1n],
    [10n, 10n, 20_000_000n, 0n, 0n],
    [10n, 11n, 20_000_001n, 0n, 0n],
  ])('wanting %s with %s wrapped and %s in the rent PDA wraps %s and tops up %s', (...row) => {
    const [wanted, wrapped, rentPdaLamports, wrapLamports, rentTopUpLamports] = row;
    expect(findWrapNeeds({ wanted, wrapped, rentPdaLamports, rent: LOCAL_RENT })).toEqual({
      wrapLamports,
      rentTopUpLamports,
    });
  });

  it.each([
    [696n, 2_000_000n],
    [13_920n, 40_000_000n],
  ])(
    'tops up the rent PDA in proportion to a rent of %d (bug: 20,000,000 at every rent)',
    (perByte, topUp) => {
      const held = { wanted: 0n, wrapped: 0n, rentPdaLamports: 0n, rent: new Rent(perByte) };
      expect(findWrapNeeds(held).rentTopUpLamports).toBe(topUp);
      expect(topUp).toBeGreaterThan(rentPdaLow(new Rent(perByte)));
    },
  );
});

describe('planWrap', () => {
  const accounts = { owner: HOLDER, payer: USDC_MINT, ata: NATIVE_MINT };

  it('lets the owner wrap, and the payer create the ATA and top up the rent PDA', () => {
    const plan = planWrap({ wrapLamports: 7n, rentTopUpLamports: 9n }, accounts).map(describeInstruction);
    expect(plan.map(({ programId }) => programId)).toEqual([
      ASSOCIATED_TOKEN_PROGRAM,
      SYSTEM_PROGRAM,
      TOKEN_PROGRAM,
      SYSTEM_PROGRAM,
    ]);
    expect(plan[0]?.keys[0]).toBe(`${USDC_MINT} sw`);
    expect(plan[1]).toMatchObject({
      keys: [`${HOLDER} sw`, `${NATIVE_MINT} w`],
      data: '020000000700000000000000',
    });
    expect(plan[3]).toMatchObject({
      keys: [`${USDC_MINT} sw`, `${RENT_PDA} w`],
      data: '020000000900000000000000',
    });
  });

  it('omits unneeded instructions', () => {
    expect(planWrap(NO_WRAP, accounts)).toEqual([]);
    expect(planWrap({ wrapLamports: 0n, rentTopUpLamports: 1n }, accounts)).toHaveLength(1);
    expect(planWrap({ wrapLamports: 1n, rentTopUpLamports: 0n }, accounts)).toHaveLength(3);
  });

  it('is described', () => {
    expect(wrapNotes(NO_WRAP)).toEqual([]);
    expect(wrapNotes({ wrapLamports: 1_500_000_000n, rentTopUpLamports: 19_000_000n })).toEqual([
      'It first wraps 1.5 SOL from the owner.',
      `It also transfers 0.019 SOL to the program's rent account ${RENT_PDA}, which pays for the shuttle.`,
    ]);
  });
});
