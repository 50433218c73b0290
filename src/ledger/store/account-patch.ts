import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { changedData, copyData, dataLength } from '../state/account-data.ts';
import { ACCOUNT_HEAD_BYTES, encodeAccount, encodeAccountHead } from './account-codec.ts';

/** Bytes of data from which on only what changed of them is written. */
export const PATCHED_BYTES_MIN = 16 * 1024;

/** What changed of an account as it was kept by the commit that changed it last; its length did not. */
export interface AccountPatch {
  /** All that comes before its data. */
  readonly head: Buffer;
  /** Bytes of the account as it is kept. */
  readonly length: number;
  /** Where in these the changed ones begin. */
  readonly at: number;
  readonly bytes: Buffer;
}

/**
 * Brings accounts into the form they are kept in, in the order in which they are committed. It knows the large
 * ones as they were committed last, by the very objects the ledger has, and writes what changed of them: a
 * program is uploaded in thousands of pieces, and each would write the whole buffer.
 */
export class AccountEncoder {
  readonly #large = new Map<Address, Account>();

  /** An account; null for one that is gone. */
  encode(address: Address, account: Account): Buffer | AccountPatch | null {
    const before = this.#large.get(address);
    const isLarge = account.lamports > 0n && dataLength(account) >= PATCHED_BYTES_MIN;
    if (isLarge) this.#large.set(address, account);
    else this.#large.delete(address);
    if (account.lamports === 0n) return null;
    return (isLarge && before !== undefined && patchOf(before, account)) || encodeAccount(account);
  }

  /** Forgets all accounts: a ledger begins. */
  clear(): void {
    this.#large.clear();
  }
}

/** Null where the account is written as a whole: its length or most of its data changed. */
function patchOf(before: Account, account: Account): AccountPatch | null {
  const length = dataLength(account);
  if (dataLength(before) !== length) return null;
  const range = changedData(before, account);
  if ((range.to - range.from) * 2 > length) return null;
  return {
    head: encodeAccountHead(account),
    length: ACCOUNT_HEAD_BYTES + length,
    at: ACCOUNT_HEAD_BYTES + range.from,
    bytes: bufferOf(copyData(account, range)),
  };
}

/** An account as it is kept after patches, in order; `base` stays as it is. */
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
