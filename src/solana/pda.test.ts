import { PublicKey } from '@solana/web3.js';
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Address, addressBytes, addressOf } from './address.ts';
import { findPda, findPlainBump } from './pda.ts';

const PROGRAM = addressOf(new Uint8Array(32).fill(7));
const MARKER = 'ProgramDerivedAddress';

/** Seeds of so many bytes together, each but the last of 32. */
function seedsOf(byteCount: number): Uint8Array[] {
  const seeds: Uint8Array[] = [];
  for (let rest = byteCount; rest > 0; rest -= 32)
    seeds.push(new Uint8Array(randomBytes(Math.min(rest, 32))));
  return seeds;
}

describe('findPda', () => {
  it('agrees with web3.js on 1,024 random owners', () => {
    const program = new PublicKey(PROGRAM);
    const [tokenProgram, mint] = [randomBytes(32), randomBytes(32)];
    for (let i = 0; i < 1_024; i++) {
      const owner = randomBytes(32);
      const seeds = i % 2 === 0 ? [owner, mint] : [owner, tokenProgram, mint];
      const [address, bump] = PublicKey.findProgramAddressSync(seeds, program);
      expect(findPda(seeds, PROGRAM), owner.toString('hex')).toEqual({ address: address.toBase58(), bump });
    }
  });

  it('is the sha256 of seeds, bump, program id and marker, for seeds of any total length', () => {
    for (let byteCount = 0; byteCount <= 15 * 32; byteCount++) {
      const seeds = seedsOf(byteCount);
      const { address, bump } = findPda(seeds, PROGRAM);
      const parts = [...seeds, Uint8Array.of(bump), addressBytes(PROGRAM)];
      const digest = createHash('sha256').update(Buffer.concat(parts)).update(MARKER).digest();
      expect(address, `${byteCount} bytes`).toBe(addressOf(digest));
      const plain = Buffer.alloc(32);
      expect(findPlainBump(Buffer.concat(parts), byteCount, plain), `${byteCount} bytes`).toBe(bump);
      expect(addressOf(plain)).toBe(address);
    }
  });

  it('accepts addresses as seeds and as the program', () => {
    const owner = addressOf(randomBytes(32));
    const seeds = [addressBytes(owner), Uint8Array.of(1)];
    expect(findPda([owner, Uint8Array.of(1)], addressBytes(PROGRAM))).toEqual(findPda(seeds, PROGRAM));
  });

  it('rejects what the network rejects: a sixteenth seed before the bump, a seed of 33 bytes', () => {
    const seed = Uint8Array.of(1);
    expect(
      findPda(
        Array.from({ length: 15 }, () => seed),
        PROGRAM,
      ).bump,
    ).toBeGreaterThan(0);
    expect(() =>
      findPda(
        Array.from({ length: 16 }, () => seed),
        PROGRAM,
      ),
    ).toThrow(RangeError);
    expect(() => findPda([new Uint8Array(33)], PROGRAM)).toThrow(RangeError);
  });

  it('rejects a program id that is not an address', () => {
    expect(() => findPda([], new Uint8Array(31))).toThrow(RangeError);
    expect(() => findPda([], '11' as Address)).toThrow(TypeError);
  });
});
