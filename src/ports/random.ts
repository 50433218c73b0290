import { randomBytes } from 'node:crypto';

/** Where the project gets unpredictable bytes from. Tests give their own. */
export interface Random {
  /** `length` fresh random bytes. */
  bytes(length: number): Uint8Array;
}

/** The operating system's generator, through node:crypto. */
export const systemRandom: Random = { bytes: (length) => new Uint8Array(randomBytes(length)) };
