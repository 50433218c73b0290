import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../solana/base58.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { Blockhashes } from './blockhashes.ts';

const seed = new SeededRandom('blockhashes').bytes(32);

describe('Blockhashes', () => {
  it('are the sha256 of the seed and the slot', () => {
    const blockhashes = new Blockhashes(seed, 600);
    for (const slot of [0, 87, 88, 600, 601, 2 ** 40]) {
      const suffix = Buffer.alloc(8);
      suffix.writeBigUInt64LE(BigInt(slot));
      const expected = createHash('sha256').update(seed).update(suffix).digest();
      expect(Buffer.from(blockhashes.at(slot))).toEqual(expected);
    }
  });

  it('return the age of recent hashes only', () => {
    const blockhashes = new Blockhashes(seed, 600);
    expect(blockhashes.ageOf(blockhashes.at(600))).toBe(0);
    expect(blockhashes.ageOf(blockhashes.at(450))).toBe(150);
    expect(blockhashes.ageOf(blockhashes.at(601))).toBeUndefined();
    expect(blockhashes.ageOf(blockhashes.at(600 - 513))).toBeUndefined();
    expect(blockhashes.ageOf(new Uint8Array(32))).toBeUndefined();
  });

  it.each([1, 3, 512, 513, 514, 5_000])('age by %i when that many blocks pass', (passed) => {
    const blockhashes = new Blockhashes(seed, 600);
    const hash = blockhashes.at(600);
    blockhashes.advanceTo(600 + passed);
    expect(blockhashes.ageOf(hash)).toBe(passed <= 512 ? passed : undefined);
    expect(blockhashes.ageOf(blockhashes.at(600 + passed))).toBe(0);
    expect(blockhashes.ageOf(blockhashes.at(600 + passed - 512))).toBe(512);
  });

  it('are found by their base58 text; other text finds none', () => {
    const blockhashes = new Blockhashes(seed, 600);
    expect(blockhashes.ageOfText(encodeBase58(blockhashes.at(590)))).toBe(10);
    for (const text of ['', '0', 'abc', '1'.repeat(45), encodeBase58(new Uint8Array(31).fill(9))]) {
      expect(blockhashes.ageOfText(text)).toBeUndefined();
    }
  });

  it('differ between ledgers', () => {
    const other = new Blockhashes(new SeededRandom('other').bytes(32), 600);
    expect(new Blockhashes(seed, 600).ageOf(other.at(600))).toBeUndefined();
  });
});
