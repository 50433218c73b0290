import { describe, expect, it } from 'vitest';
import { MAGIC_PROGRAM, MEMO_PROGRAM } from '../../../programs/addresses.ts';
import { transferLamports } from '../../../programs/system.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { signer } from '../../../solana/instruction.ts';
import { decodeTransaction, type Transaction } from '../../../solana/transaction.ts';
import { explainCalls, isForRollup } from '../explain-calls.ts';
import {
  contextOf,
  explainInstructions,
  found,
  key,
  OWNER,
  THIEF,
  transactionOf,
  words,
} from '../testing/explain-instructions.ts';
import { VECTOR_TRANSACTIONS } from '../testing/vector-transactions.ts';

/** The same transaction with one more key that no instruction names, as a reader, a writer or a signer. */
function withKey(transaction: Transaction, address: Address, right: 'read' | 'write' | 'sign'): Transaction {
  const { wire, messageAt, staticKeys, requiredSignatures, readonlyUnsigned, blockhashAt } = transaction;
  if (readonlyUnsigned === 0) throw new Error('the transaction has to name a program');
  const keysAt = messageAt + 4;
  const at = { read: staticKeys.length, write: staticKeys.length - readonlyUnsigned, sign: 1 }[right];
  const shift = (index: number): number => (index >= at ? index + 1 : index);
  const message = [
    ...wire.subarray(messageAt, keysAt),
    ...wire.subarray(keysAt, keysAt + at * 32),
    ...addressBytes(address),
    ...wire.subarray(keysAt + at * 32, blockhashAt + 32),
    transaction.instructions.length,
    ...transaction.instructions.flatMap(({ programIdIndex, accounts, data }) => [
      shift(programIdIndex),
      accounts.length,
      ...[...accounts].map(shift),
      data.length,
      ...data,
    ]),
  ];
  message[0] = requiredSignatures + (right === 'sign' ? 1 : 0);
  message[2] = readonlyUnsigned + (right === 'read' ? 1 : 0);
  message[3] = staticKeys.length + 1;
  const signatures = message[0] as number;
  return decodeTransaction(Uint8Array.from([signatures, ...new Uint8Array(signatures * 64), ...message]));
}

const gift = transactionOf(transferLamports(OWNER, THIEF, 1n));

describe('an account that no instruction uses', () => {
  it.each([
    ['signer', 'sign', 'must sign'],
    ['writable account', 'write', 'is writable'],
  ] as const)('is a caution if it is a %s', (_, right, why) => {
    const explained = explainCalls(withKey(gift, key(5), right), contextOf());
    expect(explained.calls[0]?.text).toContain(`from ${OWNER} to ${THIEF}`);
    expect(found(explained)).toEqual(['caution UNUSED_ACCOUNT']);
    expect(words(explained)).toContain(`No instruction uses ${key(5)}, which ${why}`);
  });

  it('is not reported if it has no rights', () => {
    expect(found(explainCalls(withKey(gift, key(5), 'read'), contextOf()))).toEqual([]);
  });

  it('is not reported for the fee payer, programs, and signers of a memo', () => {
    const memo = {
      programId: MEMO_PROGRAM,
      accounts: [signer(key(5))],
      data: new TextEncoder().encode('hi'),
    };
    expect(found(explainInstructions([memo]))).toEqual([]);
  });

  it('is a caution if it is everything', () => {
    const explained = explainInstructions([]);
    expect(found(explained)).toEqual(['caution NO_INSTRUCTIONS']);
  });
});

describe('a transaction for the rollup', () => {
  it('does not merely have the Magic program among its accounts', () => {
    for (const right of ['read', 'write'] as const) {
      const changed = withKey(gift, MAGIC_PROGRAM, right);
      expect(changed.staticKeys).toContain(MAGIC_PROGRAM);
      expect(isForRollup(changed)).toBe(false);
    }
    expect(isForRollup(transactionOf(transferLamports(OWNER, MAGIC_PROGRAM, 1n)))).toBe(false);
  });

  it('calls the Magic program, directly or through an instruction', () => {
    const call = { programId: MAGIC_PROGRAM, accounts: [], data: new Uint8Array(4) };
    expect(isForRollup(transactionOf(call))).toBe(true);
    const undelegate = VECTOR_TRANSACTIONS.find(({ op }) => op === 'undelegateEphemeralAta');
    const wire = new Uint8Array(Buffer.from(undelegate?.transactionBase64 ?? '', 'base64'));
    expect(isForRollup(decodeTransaction(wire))).toBe(true);
  });

  it('is every vector that names the Magic program', () => {
    for (const { transactionBase64 } of VECTOR_TRANSACTIONS) {
      const transaction = decodeTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64')));
      expect(isForRollup(transaction)).toBe(transaction.staticKeys.includes(MAGIC_PROGRAM));
    }
  });
});
