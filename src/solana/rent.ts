/** Bytes that every account is charged for besides its data (Agave `ACCOUNT_STORAGE_OVERHEAD`). */
const ACCOUNT_STORAGE_OVERHEAD = 128n;

/** What a cluster asks for an account to be kept (Agave `Rent`). */
export class Rent {
  /** What each byte costs, rounded up. */
  readonly lamportsPerByte: bigint;
  readonly #raw: bigint;
  readonly #threshold: number;

  /** @param threshold by which the minimum is multiplied; 1 since SIMD-0194. */
  constructor(lamportsPerByte: bigint, threshold = 1) {
    this.lamportsPerByte =
      threshold === 1 ? lamportsPerByte : BigInt(Math.ceil(Number(lamportsPerByte) * threshold));
    this.#raw = lamportsPerByte;
    this.#threshold = threshold;
  }

  /** Lamports an account with `dataBytes` bytes of data must hold to be exempt from rent. */
  minimum(dataBytes: number | bigint): bigint {
    const lamports = (ACCOUNT_STORAGE_OVERHEAD + BigInt(dataBytes)) * this.#raw;
    return this.#threshold === 1 ? lamports : BigInt(Math.trunc(Number(lamports) * this.#threshold));
  }
}

/** The rent of a ledger of ours: that of a test validator (Agave `DEFAULT_LAMPORTS_PER_BYTE`). */
export const LOCAL_RENT = new Rent(6_960n);

/** The minimum on a ledger of ours. Other clusters are asked for theirs (`decodeRent`). */
export const rentExemptMinimum = (dataBytes: number | bigint): bigint => LOCAL_RENT.minimum(dataBytes);
