import type { Account } from '../../solana/account.ts';
import { addressBytes } from '../../solana/address.ts';
import { internAddress } from '../state/intern-address.ts';

/** A stored account: lamports u64, rent epoch u64, owner 32, executable u8, data. */
const RENT_EPOCH_AT = 8;
/** Offset of the owner in a stored account. */
export const OWNER_AT = 16;
const EXECUTABLE_AT = 48;
const DATA_AT = 49;

/** Above Node's `Buffer.poolSize`: from here on a value from the database has memory of its own, bytes. */
const VIEWED_BYTES_MIN = 16 * 1024;

/** Bytes of a stored account before its data. */
export const ACCOUNT_HEAD_BYTES = DATA_AT;

/** Encodes an account. */
export function encodeAccount(account: Account): Buffer {
  const bytes = Buffer.allocUnsafe(DATA_AT + account.data.length);
  writeHead(bytes, account);
  bytes.set(account.data, DATA_AT);
  return bytes;
}

/** Encodes an account without its data: {@link ACCOUNT_HEAD_BYTES} bytes. */
export function encodeAccountHead(account: Account): Buffer {
  const bytes = Buffer.allocUnsafe(DATA_AT);
  writeHead(bytes, account);
  return bytes;
}

function writeHead(bytes: Buffer, account: Account): void {
  bytes.writeBigUInt64LE(account.lamports, 0);
  bytes.writeBigUInt64LE(account.rentEpoch, RENT_EPOCH_AT);
  bytes.set(addressBytes(account.owner), OWNER_AT);
  bytes[EXECUTABLE_AT] = account.executable ? 1 : 0;
}

/** Decodes an account. It is copied out of `bytes`, which may be reused. */
export function decodeAccount(bytes: Buffer): Account {
  return decodeWith(bytes, new Uint8Array(bytes.subarray(DATA_AT)));
}

/** Decodes an account from bytes that nobody else has: a large one keeps them rather than a second copy. */
export function decodeOwnedAccount(bytes: Buffer): Account {
  if (bytes.length < VIEWED_BYTES_MIN) return decodeAccount(bytes);
  return decodeWith(bytes, new Uint8Array(bytes.buffer, bytes.byteOffset + DATA_AT, bytes.length - DATA_AT));
}

function decodeWith(bytes: Buffer, data: Uint8Array): Account {
  return {
    lamports: bytes.readBigUInt64LE(0),
    rentEpoch: bytes.readBigUInt64LE(RENT_EPOCH_AT),
    owner: internAddress(bytes.subarray(OWNER_AT, EXECUTABLE_AT)),
    executable: bytes[EXECUTABLE_AT] === 1,
    data,
  };
}
