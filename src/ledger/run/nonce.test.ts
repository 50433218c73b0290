import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { Accounts } from '../state/accounts.ts';
import { nonceAccount } from '../testing/nonce-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { findUsedNonce } from './nonce.ts';

const random = new SeededRandom('nonce');
const address = addressOf(random.bytes(32));
const authority = addressOf(random.bytes(32));
const payer = addressOf(random.bytes(32));
const nonce = random.bytes(32);
const blockhash = random.bytes(32);
const next = createHash('sha256').update('DURABLE_NONCE').update(blockhash).digest();

const memo: Instruction = { programId: MEMO_PROGRAM, accounts: [], data: new Uint8Array(0) };
const advance = (
  signer: Address,
  { data = Uint8Array.of(4, 0, 0, 0), writable = true } = {},
): Instruction => ({
  programId: SYSTEM_PROGRAM,
  accounts: [
    { address, signer: false, writable },
    { address: signer, signer: true, writable: false },
  ],
  data,
});

function build(instructions: Instruction[], carried = nonce, feePayer = payer): Transaction {
  return decodeTransaction(
    encodeUnsignedTransaction(compileLegacyMessage({ feePayer, blockhash: carried, instructions })),
  );
}

function find(transaction: Transaction, account: Account = nonceAccount(authority, nonce)) {
  const accounts = new Accounts();
  accounts.set(address, account);
  return findUsedNonce(transaction, accounts, blockhash);
}

describe('findUsedNonce', () => {
  it('finds the account that is advanced first, and its next state', () => {
    const stale = nonceAccount(authority, nonce, { lamportsPerSignature: 42n });
    expect(find(build([advance(authority), memo]), stale)).toEqual({
      address,
      advanced: { ...stale, data: nonceAccount(authority, next).data },
      isFeePayer: false,
    });
  });

  it('detects that the nonce account pays the fee', () => {
    expect(find(build([advance(authority)], nonce, address))?.isFeePayer).toBe(true);
  });

  it.each<[string, Transaction]>([
    ['the advance is not the first instruction', build([memo, advance(authority)])],
    ['there is no advance', build([memo])],
    [
      'the first instruction does something else',
      build([advance(authority, { data: Uint8Array.of(5, 0, 0, 0) })]),
    ],
    ['its data is truncated', build([advance(authority, { data: Uint8Array.of(4, 0, 0) })])],
    ['the account is read-only', build([advance(authority, { writable: false })])],
    ['someone else signs', build([advance(payer)])],
    ['the transaction carries another nonce', build([advance(authority)], random.bytes(32))],
  ])('finds none when %s', (_, transaction) => {
    expect(find(transaction)).toBeNull();
  });

  it.each<[string, Account]>([
    ['belongs to another program', { ...nonceAccount(authority, nonce), owner: TOKEN_PROGRAM }],
    ['is not initialized', nonceAccount(authority, nonce, { state: 0 })],
    ['is of the previous version', nonceAccount(authority, nonce, { version: 0 })],
    ['is too short', { ...nonceAccount(authority, nonce), data: new Uint8Array(79) }],
    ['does not exist', { ...nonceAccount(authority, nonce), lamports: 0n }],
  ])('finds none when the account %s', (_, account) => {
    expect(find(build([advance(authority)]), account)).toBeNull();
  });

  it('finds none when the account was advanced since the newest block', () => {
    expect(find(build([advance(authority)], next), nonceAccount(authority, next))).toBeNull();
  });
});
