import { hash } from 'node:crypto';
import { ADDRESS_BYTES, ADDRESS_TEXT_MAX, decodeKey } from '../../solana/address.ts';

/** Blocks for which a blockhash is good after its own (Agave `MAX_PROCESSING_AGE`). */
export const BLOCKHASH_AGE_MAX = 150;

/**
 * So many less for simulation, which leaves time for forwarding (Agave `MAX_TRANSACTION_FORWARDING_DELAY`).
 */
export const FORWARDING_BLOCKS = 6;

/**
 * Blocks whose hashes are kept at hand, at least: what the SlotHashes sysvar holds (`MAX_ENTRIES`) and the
 * newest one.
 */
const HASHES_KEPT_MIN = 513;

/**
 * The hash of every block: sha256 of a secret seed and the block's height. Nobody can tell one in advance,
 * none comes twice, and that of an old block can be worked out again. The recent ones are kept, and their
 * ages can be looked up.
 */
export class Blockhashes {
  readonly #seed: Uint8Array;
  readonly #keptMax: number;
  readonly #kept = new Map<number, string>();
  readonly #heights = new Map<string, number>();
  #height = -1;

  /** `seed` is 32 bytes, drawn once for a ledger; `ageMax` is the age up to which hashes are looked for. */
  constructor(seed: Uint8Array, height: number, ageMax = BLOCKHASH_AGE_MAX) {
    this.#seed = seed;
    this.#keptMax = Math.max(HASHES_KEPT_MIN, ageMax + 1);
    this.advanceTo(height);
  }

  /** The hash of the block at a height, 32 bytes. */
  at(height: number): Uint8Array {
    return Buffer.from(this.#kept.get(height) ?? this.#hashOf(height), 'latin1');
  }

  /** Makes the block at `height` the newest. */
  advanceTo(height: number): void {
    for (let next = Math.max(this.#height + 1, height - this.#keptMax + 1, 0); next <= height; next++) {
      const hashed = this.#hashOf(next);
      this.#kept.set(next, hashed);
      this.#heights.set(hashed, next);
    }
    for (const [old, hashed] of this.#kept) {
      if (old > height - this.#keptMax) break;
      this.#kept.delete(old);
      this.#heights.delete(hashed);
    }
    this.#height = height;
  }

  /** Blocks since the one with this hash; undefined when that is no recent hash. */
  ageOf(blockhash: Uint8Array): number | undefined {
    const { buffer, byteOffset, byteLength } = blockhash;
    const height = this.#heights.get(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'));
    return height === undefined ? undefined : this.#height - height;
  }

  /** The same for base58 text; undefined also for text that is no hash. */
  ageOfText(blockhash: string): number | undefined {
    const bytes = decodeKey(blockhash, ADDRESS_BYTES, ADDRESS_TEXT_MAX);
    return typeof bytes === 'string' ? undefined : this.ageOf(bytes);
  }

  /** The hash as a string of one character a byte: the form node:crypto is fastest in, and a key for maps. */
  #hashOf(height: number): string {
    const preimage = new Uint8Array(this.#seed.length + 8);
    preimage.set(this.#seed);
    new DataView(preimage.buffer).setBigUint64(this.#seed.length, BigInt(height), true);
    return hash('sha256', preimage, 'latin1' as 'hex');
  }
}
