import { getTransactionDecoder } from '@solana/kit';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeTransaction, isSane, isStaticKeyWritable, WireError, withBlockhash } from './transaction.ts';

import vectors from '../../test/vectors/layout-a.json' with { type: 'json' };

const SAMPLES = vectors.cases.map(
  ({ expect: { transaction } }) => new Uint8Array(Buffer.from(transaction, 'base64')),
);
const SAMPLE = SAMPLES[0] as Uint8Array;

/**
 * A v0 transaction put together by hand: one signer, one table, one instruction that reads from the table.
 */
const V0 = Uint8Array.of(
  1,
  ...new Uint8Array(64),
  0x80,
  1,
  0,
  1,
  2,
  ...new Uint8Array(32).fill(1),
  ...new Uint8Array(32).fill(2),
  ...new Uint8Array(32).fill(3),
  1,
  1,
  2,
  0,
  2,
  1,
  9,
  1,
  ...new Uint8Array(32).fill(4),
  1,
  5,
  0,
);

describe('decodeTransaction', () => {
  it('reads the same as kit from every transaction of the vectors', () => {
    for (const bytes of SAMPLES) {
      const ours = decodeTransaction(bytes);
      const kits = getTransactionDecoder().decode(bytes);
      expect(bytes.subarray(ours.messageAt)).toEqual(new Uint8Array(kits.messageBytes));
      expect(ours.signatures).toHaveLength(Object.keys(kits.signatures).length);
      expect(ours.staticKeys.slice(0, ours.requiredSignatures)).toEqual(Object.keys(kits.signatures));
      expect(isSane(ours)).toBe(true);
    }
  });

  it('reads a v0 transaction with its lookup tables', () => {
    const decoded = decodeTransaction(V0);
    expect(decoded).toMatchObject({ version: 0, requiredSignatures: 1, readonlyUnsigned: 1 });
    expect(decoded.lookups).toEqual([
      { table: expect.any(String), writable: Uint8Array.of(5), readonly: new Uint8Array() },
    ]);
    expect(isSane(decoded)).toBe(true);
  });

  it('ignores bytes after the transaction', () => {
    const longer = Uint8Array.of(...SAMPLE, 1, 2, 3);
    expect(decodeTransaction(longer).wire).toEqual(SAMPLE);
  });

  it('rejects every truncation', () => {
    for (let length = 0; length < SAMPLE.length; length++) {
      expect(() => decodeTransaction(SAMPLE.subarray(0, length)), `${length} bytes`).toThrow(WireError);
    }
  });

  it.each([
    ['a first byte of version 2', Uint8Array.of(0x82, ...SAMPLE.subarray(1)), 'transaction version'],
    ['message version 1', replaceByte(V0, 65, 0x81), 'message version 1'],
    ['a length with a redundant byte', Uint8Array.of(0x80, 0), 'transaction version'],
    ['an aliased count of keys', Uint8Array.of(0, 1, 0, 0, 0x81, 0), 'not canonical'],
    ['a count beyond 65535', Uint8Array.of(0, 1, 0, 0, 0xff, 0xff, 4), 'not canonical'],
    ['a count larger than the data', Uint8Array.of(0, 1, 0, 0, 0x7f), 'too short for 127'],
  ])('rejects %s', (_, bytes, reason) => {
    expect(() => decodeTransaction(bytes)).toThrow(reason);
  });

  it('fails only with WireError on 20,000 mutations', () => {
    for (let i = 0; i < 20_000; i++) {
      const noise = createHash('sha256').update(`mutation ${i}`).digest();
      const bytes = Uint8Array.from(SAMPLES[i % SAMPLES.length] as Uint8Array);
      for (let n = 0; n < 3; n++)
        bytes[noise.readUInt16LE(n * 4) % bytes.length] = noise[n * 4 + 2] as number;
      try {
        isSane(decodeTransaction(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
      }
    }
  });
});

describe('isSane', () => {
  const changed = (offset: number, value: number) =>
    isSane(decodeTransaction(replaceByte(SAMPLE, offset, value)));

  it('rejects a header whose counts do not match the keys', () => {
    expect(changed(65, 2), 'more signers than signatures').toBe(false);
    expect(changed(66, 1), 'a fee payer that cannot be written').toBe(false);
    expect(changed(67, 200), 'more read-only keys than keys').toBe(false);
  });

  it('rejects an index beyond the keys, and the fee payer as program', () => {
    const decoded = decodeTransaction(SAMPLE);
    const firstInstruction = decoded.blockhashAt + 33;
    expect(changed(firstInstruction, 0)).toBe(false);
    expect(changed(firstInstruction, 200)).toBe(false);
    expect(changed(firstInstruction + 2, 200)).toBe(false);
  });

  it('rejects a table lookup that loads nothing, and a program from a table', () => {
    const emptyLookup = Uint8Array.of(...V0.subarray(0, V0.length - 3), 0, 0);
    expect(isSane(decodeTransaction(emptyLookup))).toBe(false);
    expect(isSane(decodeTransaction(replaceByte(V0, 167, 2)))).toBe(false);
  });
});

describe('isStaticKeyWritable', () => {
  it('follows the header', () => {
    const decoded = decodeTransaction(V0);
    expect([0, 1].map((index) => isStaticKeyWritable(decoded, index))).toEqual([true, false]);
  });
});

function replaceByte(bytes: Uint8Array, offset: number, value: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[offset] = value;
  return copy;
}

describe('withBlockhash', () => {
  const blockhash = new Uint8Array(32).fill(7);

  it('returns a copy that differs only in the blockhash', () => {
    const original = decodeTransaction(V0);
    const { wire, ...rest } = withBlockhash(original, blockhash);
    const { blockhashAt } = original;
    const expected = Uint8Array.from(V0);
    expected.set(blockhash, blockhashAt);
    expect(new Uint8Array(wire)).toEqual(expected);
    expect(new Uint8Array(original.wire)).toEqual(V0);
    expect({ ...rest, wire: original.wire }).toEqual(original);
  });

  it('copies nothing if the blockhash is already there', () => {
    const changed = withBlockhash(decodeTransaction(V0), blockhash);
    expect(withBlockhash(changed, Uint8Array.from(blockhash))).toBe(changed);
    expect(withBlockhash(changed, blockhash.with(31, 8))).not.toBe(changed);
  });
});
