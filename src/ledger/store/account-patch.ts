import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { changedData, copyData, dataLength } from '../state/account-data.ts';
import { type GenerationLimits, TwoGenerations } from '../state/two-generations.ts';
import { ACCOUNT_HEAD_BYTES, encodeAccount, encodeAccountHead } from './account-codec.ts';

/** From this size on only the changed part of an account is written, bytes of data. */
export const PATCHED_BYTES_MIN = 16 * 1024;

/** Large accounts held in memory: twice as many at most, and twice the bytes. */
const HELD_LIMITS: GenerationLimits = { count: 1_024, bytes: 32 * 1024 * 1024 };

/** The difference of an account from its previous commit. The length of the data is unchanged. */
export interface AccountPatch {
  /** Everything before its data. */
  readonly head: Buffer;
  /** Length of the encoded account, bytes. */
  readonly length: number;
  /** Offset of the changed bytes in it. */
  readonly at: number;
  readonly bytes: Buffer;
}

/**
 * Encodes accounts in the order of their commits. It holds the last committed state of large accounts that
 * changed lately, sharing the ledger's objects, and writes only what changed: a program is uploaded in
 * thousands of chunks, each of which would otherwise write the whole buffer. One that it no longer holds is
 * written as a whole.
 */
export class AccountEncoder {
  readonly #large: TwoGenerations<Address, Account>;

  constructor(limits = HELD_LIMITS) {
    this.#large = new TwoGenerations(limits, dataLength);
  }

  /** Encodes an account; null for a deleted one. */
  encode(address: Address, account: Account): Buffer | AccountPatch | null {
    const before = this.#large.get(address);
    const isLarge = account.lamports > 0n && dataLength(account) >= PATCHED_BYTES_MIN;
    if (isLarge) this.#large.put(address, account);
    // If it grows large again, it has to be written as a whole first.
    else this.#large.delete(address);
    this.#large.makeRoom();
    if (account.lamports === 0n) return null;
    return (isLarge && before !== undefined && patchOf(before, account)) || encodeAccount(account);
  }

  /** Forgets all accounts, because a new ledger begins. */
  clear(): void {
    this.#large.clear();
  }
}

/** Null if the account has to be written as a whole: its length or most of its data changed. */
function patchOf(before: Account, account: Account): AccountPatch | null {
  const length = dataLength(account);
  if (dataLength(before) !== length) return null;
  const range = changedData(before, account);
  if ((range.to - range.from) * 2 > length) return null;
  return {
    head: encodeAccountHead(account),
    length: ACCOUNT_HEAD_BYTES + length,
    at: ACCOUNT_HEAD_BYTES + range.from,
    // Copied: a view would keep the whole data in memory.
    bytes: bufferOf(copyData(account, range)),
  };
}

/** Applies patches to an encoded account, in order. `base` is not modified. */
export function applyPatches(base: Buffer, patches: readonly AccountPatch[]): Buffer {
  const value = Buffer.from(base);
  for (const { head, at, bytes } of patches) {
    value.set(head, 0);
    value.set(bytes, at);
  }
  return value;
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);
