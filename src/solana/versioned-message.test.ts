import { AddressLookupTableAccount, PublicKey, TransactionMessage } from '@solana/web3.js';
import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Address, addressOf } from './address.ts';
import { decodeBase58 } from './base58.ts';
import { type Instruction, readonly, signer, writable, writableSigner } from './instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from './message.ts';
import { decodeTransaction, isSane, isStaticKeyWritable, type Transaction } from './transaction.ts';
import { compileV0Message, type LookupTable } from './versioned-message.ts';

import vectors from '../../test/vectors/layout-b.json' with { type: 'json' };

const key = (name: string): Address => addressOf(new Uint8Array(createHash('sha256').update(name).digest()));
const blockhash = new Uint8Array(32).fill(7);
const [feePayer, program, other] = [key('fee payer'), key('program'), key('other program')];
const table = (...addresses: Address[]): LookupTable => ({ address: key('table'), addresses });

function compileAndDecode(instructions: readonly Instruction[], lookupTable: LookupTable) {
  const message = compileV0Message({ feePayer, blockhash, instructions }, lookupTable);
  const transaction = decodeTransaction(encodeUnsignedTransaction(message));
  expect(isSane(transaction)).toBe(true);
  return { ...transaction, signers: message.signers, tableAccounts: message.tableAccounts };
}

describe('compileV0Message', () => {
  const cases = vectors.cases.filter(({ op }) => op === 'transfer.v0');
  const sourceOf = ({ expect: expected }: (typeof cases)[number]) => ({
    feePayer: expected.feePayer as Address,
    blockhash: decodeBase58(vectors.blockhash),
    instructions: (expected.instructions ?? []).map(({ programId, keys, data }) => ({
      programId: programId as Address,
      accounts: keys.map((text) => {
        const [address, flags] = text.split(' ') as [Address, string];
        return { address, signer: flags.includes('s'), writable: flags.includes('w') };
      }),
      data: new Uint8Array(Buffer.from(data, 'hex')),
    })),
  });
  const tableOf = ({ input }: (typeof cases)[number]): LookupTable => ({
    address: input.lookupTable?.key as Address,
    addresses: (input.lookupTable?.addresses ?? []) as Address[],
  });

  it('produces the same bytes as @solana/web3.js', () => {
    const built = cases.filter(({ expect: { v0 } }) => v0?.transaction !== undefined);
    expect(built).toHaveLength(1);
    for (const vector of built) {
      const { v0, requiredSigners } = vector.expect;
      const message = compileV0Message(sourceOf(vector), tableOf(vector));
      const bytes = encodeUnsignedTransaction(message);
      expect(Buffer.from(bytes).toString('base64')).toBe(v0?.transaction);
      expect(bytes).toHaveLength(v0?.size as number);
      expect(message.signers).toEqual(requiredSigners);
      expect(message.tableAccounts).toBe(8);
      const legacy = encodeUnsignedTransaction(compileLegacyMessage(sourceOf(vector)));
      expect(legacy.length - bytes.length).toBe(v0?.bytesSaved);
    }
  });

  it('fits a transaction that is too large as a legacy one', () => {
    const vector = cases.find(({ expect: { transaction } }) => transaction === null);
    const source = sourceOf(vector as (typeof cases)[number]);
    expect(() => encodeUnsignedTransaction(compileLegacyMessage(source))).toThrow('1267 > 1232 bytes');
    const message = compileV0Message(source, tableOf(vector as (typeof cases)[number]));
    expect(encodeUnsignedTransaction(message).length).toBeLessThanOrEqual(1_232);
    expect(message.signers).toEqual(vector?.expect.requiredSigners);
  });

  it('lists accounts by their rights and then by first appearance, a program before its accounts', () => {
    const names = ['r1', 'w1', 's1', 'sw1', 'w2', 'r2', 's2', 'sw2'].map(key) as Address[];
    const [r1, w1, s1, sw1, w2, r2, s2, sw2] = names as [
      Address,
      Address,
      Address,
      Address,
      Address,
      Address,
      Address,
      Address,
    ];
    const { staticKeys, signers, lookups, tableAccounts } = compileAndDecode(
      [
        {
          programId: program,
          accounts: [readonly(r1), writable(w1), signer(s1), writableSigner(sw1)],
          data: new Uint8Array(),
        },
        {
          programId: other,
          accounts: [writable(w2), readonly(r2), signer(s2), writableSigner(sw2)],
          data: new Uint8Array(),
        },
      ],
      table(),
    );
    expect(staticKeys).toEqual([feePayer, sw1, sw2, s1, s2, w1, w2, program, r1, other, r2]);
    expect(signers).toEqual([feePayer, sw1, sw2, s1, s2]);
    expect([lookups, tableAccounts]).toEqual([[], 0]);
  });

  it('loads accounts that neither sign nor are called from the table, with their rights', () => {
    const [asWritable, asReadonly, signing] = [key('w'), key('r'), key('s')];
    const { staticKeys, instructions, lookups, tableAccounts } = compileAndDecode(
      [
        {
          programId: program,
          accounts: [readonly(asReadonly), signer(signing), writable(asWritable), readonly(other)],
          data: Uint8Array.of(9),
        },
        { programId: other, accounts: [writable(feePayer)], data: new Uint8Array() },
      ],
      table(signing, asReadonly, program, other, feePayer, asWritable, asWritable),
    );
    expect(staticKeys).toEqual([feePayer, signing, program, other]);
    expect(lookups).toEqual([
      { table: key('table'), writable: Uint8Array.of(5), readonly: Uint8Array.of(1) },
    ]);
    expect(tableAccounts).toBe(2);
    // Behind the listed keys come the table's writable accounts, then its read-only ones.
    expect(instructions[0]?.accounts).toEqual(Uint8Array.of(5, 1, 4, 3));
  });

  it('grants an account the rights it has in any instruction', () => {
    const account = key('account');
    const call = (meta: ReturnType<typeof readonly>): Instruction => ({
      programId: program,
      accounts: [meta],
      data: new Uint8Array(),
    });
    const writes = compileAndDecode([call(readonly(account)), call(writable(account))], table(account));
    expect(writes.lookups[0]).toMatchObject({ writable: Uint8Array.of(0), readonly: new Uint8Array() });
    const signs = compileAndDecode([call(writable(account)), call(signer(account))], table(account));
    expect(signs).toMatchObject({ staticKeys: [feePayer, account, program], requiredSignatures: 2 });
    expect(signs.readonlySigned).toBe(0);
  });

  it('decodes to the same instructions, whatever the instructions and the table', () => {
    const pool = Array.from({ length: 8 }, (_, index) => key(`pool ${index}`));
    const address = fc.constantFrom(feePayer, ...pool);
    const instruction = fc.record({
      programId: fc.constantFrom(program, other, pool[0] as Address),
      accounts: fc.array(fc.record({ address, signer: fc.boolean(), writable: fc.boolean() }), {
        maxLength: 6,
      }),
      data: fc.uint8Array({ maxLength: 3 }),
    });
    const calls = fc.array(instruction, { maxLength: 4 });
    fc.assert(
      fc.property(calls, fc.uniqueArray(address), (instructions, addresses) => {
        const transaction = compileAndDecode(instructions, table(...addresses));
        const keys = resolveKeys(transaction, addresses);
        const asked = instructions.map(({ programId, accounts, data }) => ({
          programId,
          accounts: accounts.map((account) => account.address),
          data,
        }));
        const meant = transaction.instructions.map(({ programIdIndex, accounts, data }) => ({
          programId: keys[programIdIndex]?.address,
          accounts: [...accounts].map((index) => keys[index]?.address),
          data,
        }));
        expect(meant).toEqual(asked);
        const metas = instructions.flatMap(({ accounts }) => accounts);
        for (const { address: named, signer: signs, writable: writes } of keys.slice(1)) {
          const rights = metas.filter((meta) => meta.address === named);
          expect(signs).toBe(rights.some((meta) => meta.signer));
          expect(writes).toBe(rights.some((meta) => meta.writable));
        }
      }),
    );
  });

  it('produces the same bytes as @solana/web3.js from several tables', () => {
    const names = Array.from({ length: 9 }, (_, index) => key(`account ${index}`));
    const [a, b, c, d, e, f, g, h, i] = names as [Address, ...Address[]] & readonly Address[];
    const tables = [
      { address: key('first'), addresses: [i, a, b, c] },
      { address: key('unused'), addresses: [h, a] },
      { address: key('second'), addresses: [g, d, b, e, program] },
    ] as LookupTable[];
    const instructions = [
      { programId: program, accounts: [e, b, f].map((each) => readonly(each as Address)) },
      { programId: other, accounts: [g, c, a, d].map((each) => writable(each as Address)) },
    ].map((call) => ({ ...call, data: Uint8Array.of(1) }));
    const web3 = new TransactionMessage({
      payerKey: new PublicKey(feePayer),
      recentBlockhash: new PublicKey(blockhash).toBase58(),
      instructions: instructions.map(({ programId, accounts, data }) => ({
        programId: new PublicKey(programId),
        keys: accounts.map(({ address, signer: isSigner, writable: isWritable }) => ({
          pubkey: new PublicKey(address),
          isSigner,
          isWritable,
        })),
        data: Buffer.from(data),
      })),
    }).compileToV0Message(
      tables.map(
        ({ address, addresses }) =>
          new AddressLookupTableAccount({
            key: new PublicKey(address),
            state: {
              deactivationSlot: 2n ** 64n - 1n,
              lastExtendedSlot: 0,
              lastExtendedSlotStartIndex: 0,
              addresses: addresses.map((each) => new PublicKey(each)),
            },
          }),
      ),
    );
    const { bytes, tableAccounts } = compileV0Message({ feePayer, blockhash, instructions }, ...tables);
    expect(Buffer.from(bytes).toString('hex')).toBe(Buffer.from(web3.serialize()).toString('hex'));
    expect(tableAccounts).toBe(6);
  });

  it('rejects more accounts than an index can address', () => {
    const accounts = Array.from({ length: 255 }, (_, index) => key(`account ${index}`));
    const instruction = (count: number): Instruction => ({
      programId: program,
      accounts: accounts.slice(0, count).map(readonly),
      data: new Uint8Array(),
    });
    expect(compileAndDecode([instruction(254)], table(...accounts)).tableAccounts).toBe(254);
    expect(() => compileAndDecode([instruction(255)], table(...accounts))).toThrow(RangeError);
  });
});

/** Every account of a transaction in the order of its indices, with the rights the network sees. */
function resolveKeys(transaction: Transaction, addresses: readonly Address[]) {
  const listed = transaction.staticKeys.map((address, index) => ({
    address,
    signer: index < transaction.requiredSignatures,
    writable: isStaticKeyWritable(transaction, index),
  }));
  const looked = (['writable', 'readonly'] as const).flatMap((rights) =>
    transaction.lookups.flatMap((lookup) =>
      [...lookup[rights]].map((index) => ({
        address: addresses[index],
        signer: false,
        writable: rights === 'writable',
      })),
    ),
  );
  return [...listed, ...looked];
}
