import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { ACCOUNT_HEAD_BYTES, encodeAccount, encodeAccountHead } from './account-codec.ts';
import { changedRange } from './changed-range.ts';

/** From this size on only the changed part of an account is written, bytes of data. */
export const PATCHED_BYTES_MIN = 16 * 1024;

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
 * Encodes accounts in the order of their commits. It holds the last committed data of large accounts, sharing
 * the ledger's arrays, and writes only what changed: a program is uploaded in thousands of chunks, each of
 * which would otherwise write the whole buffer.
 */
export class AccountEncoder {
  readonly #large = new Map<Address, Uint8Array>();

  /** Encodes an account; null for a deleted one. */
  encode(address: Address, account: Account): Buffer | AccountPatch | null {
    const before = this.#large.get(address);
    const isLarge = account.lamports > 0n && account.data.length >= PATCHED_BYTES_MIN;
    if (isLarge) this.#large.set(address, account.data);
    // If it grows large again, it has to be written as a whole first.
    else this.#large.delete(address);
    if (account.lamports === 0n) return null;
    return (isLarge && before !== undefined && patchOf(before, account)) || encodeAccount(account);
  }

  /** Forgets all accounts, because a new ledger begins. */
  clear(): void {
    this.#large.clear();
  }
}

/** Null if the account has to be written as a whole: its length or most of its data changed. */
function patchOf(before: Uint8Array, account: Account): AccountPatch | null {
  const { data } = account;
  if (before.length !== data.length) return null;
  const { from, to } = changedRange(before, data);
  if ((to - from) * 2 > data.length) return null;
  return {
    head: encodeAccountHead(account),
    length: ACCOUNT_HEAD_BYTES + data.length,
    at: ACCOUNT_HEAD_BYTES + from,
    // Copied: a view would keep the whole data in memory.
    bytes: Buffer.from(data.subarray(from, to)),
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
