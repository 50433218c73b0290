import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTransaction, openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import { readonly } from '../../solana/instruction.ts';
import { STAKE_PROGRAM } from '../../programs/addresses.ts';
import { callForText, callMethod } from '../testing/call-method.ts';

let test: TestLedger;

beforeAll(async () => {
  test = await openTestLedger();
});

afterAll(() => test.ledger.close());

describe('getStakeMinimumDelegation', () => {
  it('returns the stake program’s own value', async () => {
    const wallet = await test.fundedWallet();
    const getMinimumDelegation = {
      programId: STAKE_PROGRAM,
      accounts: [readonly(wallet.address)],
      data: Uint8Array.of(13, 0, 0, 0),
    };
    const { err, returnData } = test.ledger.simulate(
      buildTransaction(test.ledger, [wallet], [getMinimumDelegation]),
      { verifySignatures: true, replaceBlockhash: false },
    );
    expect(err).toBeNull();
    const said = Buffer.from(returnData?.data ?? []).readBigUInt64LE();
    expect(await callForText(test.ledger, 'getStakeMinimumDelegation')).toContain(`"value":${said}}`);
  });

  it('respects minContextSlot', async () => {
    expect(
      await callMethod(test.ledger, 'getStakeMinimumDelegation', { minContextSlot: 2 ** 50 }),
    ).toHaveProperty('error.code', -32016);
  });
});
