import { describe, expect, it } from 'vitest';
import { HOLDER, OTHER_VALIDATOR } from '../../../test/ports/holder.ts';
import { tokenAccountData } from '../../../test/ports/map-chain.ts';
import {
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { accountWith, withExtensions } from '../../rpc/testing/token-accounts.ts';
import {
  checkTokenAccount,
  type ExpectedTokenAccount,
  forBeingPaid,
  readTokenAccount,
} from './token-account.ts';

const STRANGER = OTHER_VALIDATOR;
const EXPECTED: ExpectedTokenAccount = {
  ata: '4rKNjuezjK1XcrtuZnU5VcNUeTYy8knhttpQ1frhXLH7' as ExpectedTokenAccount['ata'],
  owner: HOLDER,
  mint: USDC_MINT,
  tokenProgram: TOKEN_PROGRAM,
};
const PLAIN = {
  delegate: null,
  delegatedAmount: 0n,
  closeAuthority: null,
  needsMemo: false,
  guardsCpi: false,
  takesConfidentialOnly: false,
};

describe('a token account', () => {
  it('is as expected if its program, mint and owner are', () => {
    const frozen = accountWith(tokenAccountData(USDC_MINT, HOLDER, 7n, 2));
    expect(checkTokenAccount(EXPECTED, frozen)).toEqual({ amount: 7n, state: 'frozen', rules: PLAIN });
  });

  it('may belong to anyone if no owner is expected', () => {
    const account = accountWith(tokenAccountData(USDC_MINT, STRANGER, 7n));
    expect(checkTokenAccount({ ...EXPECTED, owner: null }, account)).toMatchObject({ amount: 7n });
  });

  it('of Token-2022 is read with its extensions', () => {
    const data = withExtensions(tokenAccountData(USDC_MINT, HOLDER, 7n), 2, [
      [7, new Uint8Array()],
      [8, Uint8Array.of(1)],
      [11, Uint8Array.of(1)],
      [13, new Uint8Array()],
    ]);
    const expected = { ...EXPECTED, tokenProgram: TOKEN_2022_PROGRAM };
    expect(checkTokenAccount(expected, accountWith(data, TOKEN_2022_PROGRAM))).toEqual({
      amount: 7n,
      state: 'initialized',
      rules: { ...PLAIN, needsMemo: true, guardsCpi: true },
    });
  });

  it.each([
    ['it does not exist', null, 'absent'],
    ['only lamports were sent to its address', accountWith(new Uint8Array(), SYSTEM_PROGRAM), 'absent'],
    ['it is not initialized', accountWith(new Uint8Array(165)), 'unreadable'],
    [
      'another token program owns it',
      accountWith(tokenAccountData(USDC_MINT, HOLDER, 7n), TOKEN_2022_PROGRAM),
      'unreadable',
    ],
    ['it is of another mint', accountWith(tokenAccountData(NATIVE_MINT, HOLDER, 7n)), 'of another mint'],
    [
      'it was transferred to another owner',
      accountWith(tokenAccountData(USDC_MINT, STRANGER, 7n)),
      "someone else's",
    ],
  ])('is not as expected if %s', (_, account, fault) => {
    expect(checkTokenAccount(EXPECTED, account)).toBe(fault);
  });

  it('that belongs to someone else is rejected with its owner and advice', () => {
    const account = accountWith(tokenAccountData(USDC_MINT, STRANGER, 7n));
    expect(() => readTokenAccount(EXPECTED, account, forBeingPaid)).toThrow(
      expect.objectContaining({
        code: 'TOKEN_ACCOUNT_OWNER_MISMATCH',
        message: `The token account ${EXPECTED.ata} is derived for ${HOLDER} but belongs to ${STRANGER}: the tokens would belong to ${STRANGER}. Pay another wallet, or ask ${STRANGER} to return the account to ${HOLDER} first (SetAuthority).`,
        context: { ata: EXPECTED.ata, owner: HOLDER, holder: STRANGER, mint: USDC_MINT },
      }),
    );
  });

  it.each([
    ['cannot be read', new Uint8Array(3), 'cannot be decoded'],
    ['is of another mint', tokenAccountData(NATIVE_MINT, HOLDER, 7n), `does not belong to mint ${USDC_MINT}`],
  ])('that %s is an error', (_, data, words) => {
    expect(() => readTokenAccount(EXPECTED, accountWith(data), forBeingPaid)).toThrow(
      expect.objectContaining({ code: 'ACCOUNT_UNREADABLE', message: expect.stringContaining(words) }),
    );
  });
});
