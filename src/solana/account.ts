import type { Address } from './address.ts';

/** An account as the chain stores it. Data must not be changed in place. */
export interface Account {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
  readonly rentEpoch: bigint;
}

/** `rentEpoch` of every rent-exempt account (Agave `RENT_EXEMPT_RENT_EPOCH`, u64::MAX). */
export const RENT_EXEMPT_EPOCH = 0xffff_ffff_ffff_ffffn;

/** Bytes charged for every account in addition to its data (Agave `ACCOUNT_STORAGE_OVERHEAD`). */
const ACCOUNT_STORAGE_OVERHEAD = 128n;

/** The rent of a cluster (Agave `Rent`). */
export class Rent {
  /** Lamports per byte, rounded up. */
  readonly lamportsPerByte: bigint;
  readonly #raw: bigint;
  readonly #threshold: number;

  /** @param threshold factor of the minimum; 1 since SIMD-0194. */
  constructor(lamportsPerByte: bigint, threshold = 1) {
    this.lamportsPerByte =
      threshold === 1 ? lamportsPerByte : BigInt(Math.ceil(Number(lamportsPerByte) * threshold));
    this.#raw = lamportsPerByte;
    this.#threshold = threshold;
  }

  /** Returns the lamports that a rent-exempt account with `dataBytes` bytes of data must hold. */
  minimum(dataBytes: number | bigint): bigint {
    const lamports = (ACCOUNT_STORAGE_OVERHEAD + BigInt(dataBytes)) * this.#raw;
    return this.#threshold === 1 ? lamports : BigInt(Math.trunc(Number(lamports) * this.#threshold));
  }
}

/** The rent of an embedded ledger, equal to a test validator's (Agave `DEFAULT_LAMPORTS_PER_BYTE`). */
export const LOCAL_RENT = new Rent(6_960n);

/** Returns the rent-exempt minimum on an embedded ledger. Other clusters report their own rent. */
export const rentExemptMinimum = (dataBytes: number | bigint): bigint => LOCAL_RENT.minimum(dataBytes);
