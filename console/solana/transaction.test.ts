import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../parts/encodings.ts';
import { readTransaction, signatureOf, splitBlockhash, withSignatures } from './transaction.ts';

const key = (fill: number): number[] => Array<number>(32).fill(fill);
const zeros = (count: number): number[] => Array<number>(count).fill(0);

/** A transaction with `signers` signers, one other account, a blockhash and no instruction. */
function transaction(signers: number, prefix: readonly number[] = []): Uint8Array<ArrayBuffer> {
  const keys = Array.from({ length: signers + 1 }, (_, index) => key(index + 1)).flat();
  return Uint8Array.from([
    signers,
    ...zeros(signers * 64),
    ...prefix,
    signers,
    0,
    1,
    signers + 1,
    ...keys,
    ...key(9),
    0,
  ]);
}

describe('a transaction', () => {
  it('names its signers in the order of their signatures, legacy and v0', () => {
    for (const prefix of [[], [0x80]]) {
      const read = readTransaction(transaction(2, prefix));
      expect(read.signers).toEqual([
        encodeBase58(Uint8Array.from(key(1))),
        encodeBase58(Uint8Array.from(key(2))),
      ]);
      expect(read.message).toEqual(transaction(2, prefix).slice(129));
    }
  });

  it('puts a signature in the place of its signer, and leaves the others and the message unchanged', () => {
    const read = readTransaction(transaction(2));
    const signature = new Uint8Array(64).fill(7);
    const signed = withSignatures(read, new Map([[read.signers[1] ?? '', signature]]));
    expect(signed.slice(65, 129)).toEqual(signature);
    expect(signed.slice(1, 65)).toEqual(new Uint8Array(64));
    expect(signed.slice(129)).toEqual(read.message);
    expect(read.bytes.slice(65, 129)).toEqual(new Uint8Array(64));
  });

  it('may be of version 1, which ends with its signatures', () => {
    const header = [0x81, 2, 0, 1, 0, 0, 0, 0, ...key(9), 0, 3, ...key(1), ...key(2), ...key(3)];
    const read = readTransaction(Uint8Array.from([...header, ...zeros(128)]));
    expect(read.signers).toEqual([key(1), key(2)].map((bytes) => encodeBase58(Uint8Array.from(bytes))));
    expect([...read.message]).toEqual(header);
    const signatures = new Map(
      read.signers.map((signer, index) => [signer, new Uint8Array(64).fill(index + 7)]),
    );
    const signed = withSignatures(read, signatures);
    expect(signed.slice(header.length)).toEqual(
      Uint8Array.of(...new Uint8Array(64).fill(7), ...new Uint8Array(64).fill(8)),
    );
    expect(signatureOf(signed)).toBe(encodeBase58(new Uint8Array(64).fill(7)));
    const { blockhash, rest } = splitBlockhash(read);
    expect(blockhash).toBe(encodeBase58(Uint8Array.from(key(9))));
    expect(rest.slice(8, 40)).toEqual(new Uint8Array(32));
    for (const bytes of [header.slice(0, 60), [0x81, 0], [0x81, 3, ...header.slice(2)]]) {
      expect(() => readTransaction(Uint8Array.from(bytes))).toThrow('not a transaction');
    }
  });

  it('is identified by its first signature', () => {
    const read = readTransaction(transaction(1));
    const signature = new Uint8Array(64).fill(3);
    const signed = withSignatures(read, new Map([[read.signers[0] ?? '', signature]]));
    expect(signatureOf(signed)).toBe(encodeBase58(signature));
  });

  it('is split into its blockhash and all other bytes, legacy and v0', () => {
    for (const prefix of [[], [0x80]]) {
      const bytes = transaction(2, prefix);
      const { blockhash, rest } = splitBlockhash(readTransaction(bytes));
      expect(blockhash).toBe(encodeBase58(Uint8Array.from(key(9))));
      expect([...rest]).toEqual([...bytes.slice(0, -33), ...zeros(33)]);
      expect(splitBlockhash(readTransaction(rest)).rest).toEqual(rest);
    }
  });

  it('rejects a signature from someone who is not a signer', () => {
    const read = readTransaction(transaction(1));
    expect(() => withSignatures(read, new Map([['Someone', new Uint8Array(64)]]))).toThrow(TypeError);
  });

  it.each([
    ['no bytes', new Uint8Array()],
    ['no signer', Uint8Array.from([0, ...transaction(1).slice(65)])],
    ['a wrong number of signatures', Uint8Array.from([2, ...zeros(128), ...transaction(1).slice(65)])],
    ['an unknown version', transaction(1, [0x81])],
    ['a message that ends within the keys', transaction(1).slice(0, 90)],
    ['more bytes than a packet', Uint8Array.from([...transaction(1), ...zeros(1_232)])],
  ])('is not read from %s', (_, bytes) => {
    expect(() => readTransaction(bytes)).toThrow(TypeError);
  });
});
