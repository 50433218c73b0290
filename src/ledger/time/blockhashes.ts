import { hash } from 'node:crypto';
import { ADDRESS_BYTES, ADDRESS_TEXT_MAX, decodeKey } from '../../solana/address.ts';

/** Blocks for which a blockhash stays valid (Agave `MAX_PROCESSING_AGE`). */
export const BLOCKHASH_AGE_MAX = 150;

/**
 * Blocks by which simulations shorten a blockhash's lifetime, to leave time for forwarding (Agave
 * `MAX_TRANSACTION_FORWARDING_DELAY`).
 */
export const FORWARDING_BLOCKS = 6;

/** Minimum number of cached hashes: those in the SlotHashes sysvar (`MAX_ENTRIES`) and the newest one. */
const HASHES_CACHED_MIN = 513;

/**
 * The hash of every block: sha256 of a secret seed and the block's height. Hashes cannot be predicted, never
 * repeat, and can be recomputed for old blocks. Recent hashes are cached and can be looked up.
 */
export class Blockhashes {
  readonly #seed: Uint8Array;
  readonly #cachedMax: number;
  readonly #cached = new Map<number, string>();
  readonly #heights = new Map<string, number>();
  #height = -1;

  /**
   * @param seed 32 bytes, drawn once per ledger.
   * @param ageMax maximum age of hashes that can be looked up, in blocks.
   */
  constructor(seed: Uint8Array, height: number, ageMax = BLOCKHASH_AGE_MAX) {
    this.#seed = seed;
    this.#cachedMax = Math.max(HASHES_CACHED_MIN, ageMax + 1);
    this.advanceTo(height);
  }

  /** Returns the hash of the block at a height, 32 bytes. */
  at(height: number): Uint8Array {
    return Buffer.from(this.#cached.get(height) ?? this.#hashOf(height), 'latin1');
  }

  /** Makes the block at `height` the newest. */
  advanceTo(height: number): void {
    for (let next = Math.max(this.#height + 1, height - this.#cachedMax + 1, 0); next <= height; next++) {
      const hashed = this.#hashOf(next);
      this.#cached.set(next, hashed);
      this.#heights.set(hashed, next);
    }
    for (const [old, hashed] of this.#cached) {
      if (old > height - this.#cachedMax) break;
      this.#cached.delete(old);
      this.#heights.delete(hashed);
    }
    this.#height = height;
  }

  /** Returns the age of this hash, in blocks; undefined if the hash is not recent. */
  ageOf(blockhash: Uint8Array): number | undefined {
    const { buffer, byteOffset, byteLength } = blockhash;
    const height = this.#heights.get(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'));
    return height === undefined ? undefined : this.#height - height;
  }

  /** Returns the age of this base58 hash, in blocks; undefined for any other text. */
  ageOfText(blockhash: string): number | undefined {
    const bytes = decodeKey(blockhash, ADDRESS_BYTES, ADDRESS_TEXT_MAX);
    return typeof bytes === 'string' ? undefined : this.ageOf(bytes);
  }

  /** Returns the hash with one character per byte: the fastest form in node:crypto, also usable as a key. */
  #hashOf(height: number): string {
    const preimage = new Uint8Array(this.#seed.length + 8);
    preimage.set(this.#seed);
    new DataView(preimage.buffer).setBigUint64(this.#seed.length, BigInt(height), true);
    return hash('sha256', preimage, 'latin1' as 'hex');
  }
}
