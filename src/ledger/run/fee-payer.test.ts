import { describe, expect, it } from 'vitest';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { type Account, LOCAL_RENT, Rent, rentExemptMinimum } from '../../solana/account.ts';
import { addressOf } from '../../solana/address.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { LiteSvmEngine } from '../engine/litesvm-engine.ts';
import { accountOf } from '../testing/make-account.ts';
import { nonceAccount } from '../testing/nonce-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import type { TransactionError } from '../transaction-errors.ts';
import { feePayerFault } from './fee.ts';

const FEE = 5_000n;
const RENT = rentExemptMinimum(0);
const NONCE_RENT = rentExemptMinimum(80);
const random = new SeededRandom('payer');
const wallet = (lamports: bigint): Account => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);
const nonce = (lamports: bigint): Account => ({
  ...nonceAccount(addressOf(random.bytes(32)), random.bytes(32)),
  lamports,
});
const tooPoorForRent = { InsufficientFundsForRent: { account_index: 0 } };

const CASES: [string, Account | undefined, TransactionError | null][] = [
  ['does not exist', undefined, 'AccountNotFound'],
  ['has one lamport', wallet(1n), 'InsufficientFundsForFee'],
  ['has one lamport less than the fee', wallet(FEE - 1n), 'InsufficientFundsForFee'],
  ['has exactly the fee', wallet(FEE), null],
  ['has the fee and less than its rent, as before', wallet(FEE + 1_000n), null],
  ['would be left with less than its rent', wallet(RENT + FEE - 1n), tooPoorForRent],
  ['would be left with its rent', wallet(RENT + FEE), null],
  ['belongs to a program', accountOf(TOKEN_PROGRAM, new Uint8Array(0), RENT * 2n), 'InvalidAccountForFee'],
  ['holds data', accountOf(SYSTEM_PROGRAM, new Uint8Array(1), RENT * 2n), 'InvalidAccountForFee'],
  [
    'holds 80 bytes that are not a nonce',
    accountOf(SYSTEM_PROGRAM, new Uint8Array(80), RENT * 9n),
    'InvalidAccountForFee',
  ],
  ['is a nonce account with its rent and the fee', nonce(NONCE_RENT + FEE), null],
  ['is a nonce account with one lamport less', nonce(NONCE_RENT + FEE - 1n), 'InsufficientFundsForFee'],
];

describe('feePayerFault', () => {
  it.each([696n, 5_080n, 10_000n])('uses the rent of the ledger: %d lamports per byte', (lamportsPerByte) => {
    const rent = new Rent(lamportsPerByte);
    const left = (lamports: bigint) => feePayerFault(wallet(lamports + FEE), FEE, rent);
    expect([left(rent.minimum(0)), left(rent.minimum(0) - 1n)]).toEqual([null, tooPoorForRent]);
    const ofNonce = (lamports: bigint) => feePayerFault(nonce(lamports + FEE), FEE, rent);
    expect([ofNonce(rent.minimum(80)), ofNonce(rent.minimum(80) - 1n)]).toEqual([
      null,
      'InsufficientFundsForFee',
    ]);
  });

  it.each(CASES)('checks a payer that %s', (_, payer, fault) => {
    expect(feePayerFault(payer, FEE, LOCAL_RENT)).toEqual(fault);
  });

  it.each(CASES)('agrees with the engine about a payer that %s', (_, payer, fault) => {
    const engine = new LiteSvmEngine();
    const address = addressOf(random.bytes(32));
    if (payer !== undefined) engine.setAccount(address, payer);
    const message = compileLegacyMessage({
      feePayer: address,
      blockhash: new Uint8Array(32),
      instructions: [{ programId: MEMO_PROGRAM, accounts: [], data: new Uint8Array(0) }],
    });
    const { err } = engine.run(decodeTransaction(encodeUnsignedTransaction(message)), random.bytes(32));
    expect(err).toEqual(fault);
  });
});
