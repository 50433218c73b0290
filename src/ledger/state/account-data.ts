import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type ByteRange, changedRange } from './changed-range.ts';
import { Pieces } from './pieces.ts';

/**
 * The data of accounts that were written in part, of those written from, and of no others. Reading `data` of
 * one puts it together, which costs by its length; the functions here do not.
 */
const known = new WeakMap<Account, Pieces>();

/**
 * An account of the upgradeable loader with the bytes of its data from `at` on replaced, for which there has
 * to be room. Costs by what is replaced, however long the data is.
 */
export function withBytesAt(account: Account, at: number, bytes: Uint8Array): Account {
  const { lamports, owner, executable, rentEpoch } = account;
  const pieces = piecesToWrite(account).with(at, bytes);
  const written: Account = {
    lamports,
    owner,
    // A member of its own, so that a spread account has its data as well.
    get data() {
      return pieces.whole;
    },
    executable,
    rentEpoch,
  };
  known.set(written, pieces);
  return written;
}

/** Whether an account was written by {@link withBytesAt}, or from. */
export function isInPieces(account: Account): boolean {
  return piecesOf(account) !== undefined;
}

/** Bytes of data of an account. */
export function dataLength(account: Account): number {
  return piecesOf(account)?.length ?? account.data.length;
}

/** Up to `length` bytes the data begins with; not to be changed. */
export function leadingData(account: Account, length: number): Uint8Array {
  const pieces = piecesOf(account);
  return pieces === undefined
    ? account.data.subarray(0, length)
    : pieces.slice(0, Math.min(length, pieces.length));
}

/** A copy of the data from `from` to before `to`. */
export function copyData(account: Account, { from, to }: ByteRange): Uint8Array {
  return piecesOf(account)?.slice(from, to) ?? new Uint8Array(account.data.subarray(from, to));
}

export function haveSameData(a: Account, b: Account): boolean {
  const [old, now] = [piecesOf(a), piecesOf(b)];
  if (old === undefined || now === undefined) return Buffer.compare(a.data, b.data) === 0;
  return old.equals(now);
}

/** {@link changedRange} of the data of two accounts, which is as long in both. */
export function changedData(before: Account, after: Account): ByteRange {
  const [old, now] = [piecesOf(before), piecesOf(after)];
  if (old === undefined || now === undefined) return changedRange(before.data, after.data);
  return old.changedRange(now);
}

function piecesOf(account: Account): Pieces | undefined {
  // Spares all others the look.
  return account.owner === BPF_LOADER_UPGRADEABLE ? known.get(account) : undefined;
}

/** Noted of the account itself, so that what is made of it shares pieces with it. */
function piecesToWrite(account: Account): Pieces {
  const found = piecesOf(account);
  if (found !== undefined) return found;
  const pieces = Pieces.of(account.data);
  known.set(account, pieces);
  return pieces;
}
