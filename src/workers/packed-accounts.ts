import { RENT_EXEMPT_EPOCH, type Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { splitAddresses } from './joined-addresses.ts';

/**
 * Accounts on their way to another process: the addresses of their owners, each once and with commas between
 * them, and all else as bytes. To the serialiser, one string and one array of bytes are a fraction of the
 * work of rows.
 *
 * Of each account there is a byte of flags, and no more of one that is absent; then the owner's number (u16),
 * lamports (u64), the length of the data (u32), the rent epoch (u64) unless it is that of rent-exempt
 * accounts, and the data. Integers are little-endian.
 */
export type PackedAccounts = readonly [owners: string, bytes: Uint8Array];

const PRESENT = 1;
const EXECUTABLE = 2;
const HAS_RENT_EPOCH = 4;

/** Bytes of an account but for its data: all that it can have. */
const HEAD_BYTES_MAX = 1 + 2 + 8 + 4 + 8;

/** @throws {RangeError} for accounts of more than 65,536 different owners. */
export function packAccounts(accounts: readonly (Account | null)[]): PackedAccounts {
  const owners: Address[] = [];
  const bytes = Buffer.allocUnsafe(bytesMaxOf(accounts));
  let end = 0;
  for (const account of accounts) {
    if (account === null) {
      end = bytes.writeUInt8(0, end);
      continue;
    }
    const { owner, lamports, data, rentEpoch } = account;
    let ownerAt = owners.indexOf(owner);
    if (ownerAt < 0) ownerAt = owners.push(owner) - 1;
    end = bytes.writeUInt8(flagsOf(account), end);
    end = bytes.writeUInt16LE(ownerAt, end);
    end = bytes.writeBigUInt64LE(lamports, end);
    end = bytes.writeUInt32LE(data.length, end);
    if (rentEpoch !== RENT_EXEMPT_EPOCH) end = bytes.writeBigUInt64LE(rentEpoch, end);
    bytes.set(data, end);
    end += data.length;
  }
  return [owners.join(), bytes.subarray(0, end)];
}

/**
 * The accounts again, in their order. Their data are parts of the bytes.
 *
 * @throws {RangeError} for bytes that are cut short or name an owner who is not there.
 */
export function unpackAccounts([ownersText, packed]: PackedAccounts): (Account | null)[] {
  const owners = splitAddresses(ownersText);
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const accounts: (Account | null)[] = [];
  for (let at = 0; at < bytes.length;) {
    const flags = bytes.readUInt8(at);
    at += 1;
    if ((flags & PRESENT) === 0) {
      accounts.push(null);
      continue;
    }
    const owner = owners[bytes.readUInt16LE(at)];
    const lamports = bytes.readBigUInt64LE(at + 2);
    const dataBytes = bytes.readUInt32LE(at + 10);
    at += 14;
    const hasRentEpoch = (flags & HAS_RENT_EPOCH) !== 0;
    const rentEpoch = hasRentEpoch ? bytes.readBigUInt64LE(at) : RENT_EXEMPT_EPOCH;
    if (hasRentEpoch) at += 8;
    const end = at + dataBytes;
    if (owner === undefined || end > bytes.length) throw new RangeError('the packed accounts are broken');
    accounts.push({
      lamports,
      owner,
      data: bytes.subarray(at, end),
      executable: (flags & EXECUTABLE) !== 0,
      rentEpoch,
    });
    at = end;
  }
  return accounts;
}

function bytesMaxOf(accounts: readonly (Account | null)[]): number {
  return accounts.reduce((sum, account) => sum + HEAD_BYTES_MAX + (account?.data.length ?? 0), 0);
}

function flagsOf({ executable, rentEpoch }: Account): number {
  return PRESENT | (executable ? EXECUTABLE : 0) | (rentEpoch === RENT_EXEMPT_EPOCH ? 0 : HAS_RENT_EPOCH);
}
