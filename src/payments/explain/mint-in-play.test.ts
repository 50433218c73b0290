import { describe, expect, it } from 'vitest';
import { SYSVAR_OWNER, TOKEN_2022_PROGRAM } from '../../programs/addresses.ts';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import { littleEndian } from '../../rpc/testing/parse-call.ts';
import { mintData, withExtensions } from '../../rpc/testing/token-accounts.ts';
import { feeDue } from './state/chain-facts.ts';
import { accountOf, key } from './testing/explain-instructions.ts';

const mint = key(33);
const fee = (epoch: bigint, basisPoints: number): number[] => [
  ...littleEndian(epoch, 8),
  ...littleEndian(1_000_000n, 8),
  ...littleEndian(basisPoints, 2),
];
const config = Uint8Array.of(...new Uint8Array(72), ...fee(0n, 100), ...fee(10n, 900));
const facts = accountOf(TOKEN_2022_PROGRAM, withExtensions(mintData({}), 1, [[1, config]]));

const clockIn = (epoch: bigint) =>
  accountOf(
    SYSVAR_OWNER,
    Uint8Array.of(...new Uint8Array(16), ...littleEndian(epoch, 8), ...new Uint8Array(16)),
  );

describe('the fee of a mint with one fee now and another later', () => {
  it.each([
    ['the older one before its epoch', 9n, 1_000n],
    ['the newer one from its epoch on', 10n, 9_000n],
  ])('is %s, by the clock that was read', (_, epoch, withheld) => {
    const accounts = new Map([
      [mint, facts],
      [CLOCK_SYSVAR, clockIn(epoch)],
    ]);
    expect(feeDue(accounts, mint, 100_000n)).toEqual({ withheld, isCertain: true });
  });

  it('is at most the larger one without a clock', () => {
    const accounts = new Map([[mint, facts]]);
    expect(feeDue(accounts, mint, 100_000n)).toEqual({ withheld: 9_000n, isCertain: false });
  });
});
