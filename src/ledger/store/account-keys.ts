import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeTokenHolding } from '../../programs/token/state.ts';
import { ADDRESS_BYTES, addressBytes, type Address } from '../../solana/address.ts';
import type { TokenAccountQuery } from '../ledger.ts';
import { ACCOUNT_HEAD_BYTES, OWNER_AT } from './account-codec.ts';

/**
 * Bytes of an owner or holder that keys have. Two that begin alike share a range of keys, so whoever reads
 * one checks the account itself.
 */
const PREFIX_BYTES = 8;

/** Kinds of holdings, the first byte of their keys. */
const KINDS: Readonly<Record<TokenAccountQuery['holder'], number>> = { mint: 1, owner: 2, delegate: 3 };

/** SPL Token `Account`: mint 32, owner 32, amount u64, delegate (u32 tag, 32). */
const MINT_AT = 0;
const HOLDER_AT = 32;
const DELEGATE_TAG_AT = 72;
const DELEGATE_AT = 76;

/** Sorts after every key. */
const AFTER_ALL = Buffer.alloc(1 + PREFIX_BYTES + ADDRESS_BYTES + 1, 0xff);

const TOKEN_PROGRAMS: readonly Buffer[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) =>
  Buffer.from(addressBytes(program)),
);

/** A range of keys, `end` exclusive. */
export interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

/** The first bytes of the owner of a stored account. */
export function ownerPrefix(value: Buffer): Buffer {
  return value.subarray(OWNER_AT, OWNER_AT + PREFIX_BYTES);
}

/** The key of an account among those of its owner: the first bytes of the owner, and its address. */
export function ownedKey(prefix: Uint8Array, address: Uint8Array): Buffer {
  return Buffer.concat([prefix, address]);
}

/** The keys of all accounts. */
export const ALL_OWNED: KeyRange = { start: Buffer.of(0), end: AFTER_ALL };

/** The keys of the accounts of an owner, and of others that begin alike. */
export function ownedRange(owner: Address): KeyRange {
  return rangeOf(Buffer.from(addressBytes(owner)).subarray(0, PREFIX_BYTES));
}

/** The keys of the token accounts of a mint, wallet or delegate, and of others that begin alike. */
export function holdingRange({ holder, address }: TokenAccountQuery): KeyRange {
  return rangeOf(Buffer.of(KINDS[holder], ...addressBytes(address).subarray(0, PREFIX_BYTES)));
}

/** The address in a key: its last 32 bytes. */
export function addressOfKey(key: Buffer): Buffer {
  return key.subarray(key.length - ADDRESS_BYTES);
}

/**
 * The keys a stored account is found by as a holding: kind, first bytes of the mint, wallet or delegate, and
 * its address. None unless it is an initialised token account.
 */
export function holdingKeys(address: Uint8Array, value: Buffer): Buffer[] {
  const owner = value.subarray(OWNER_AT, OWNER_AT + ADDRESS_BYTES);
  if (!TOKEN_PROGRAMS.some((program) => program.equals(owner))) return [];
  const data = value.subarray(ACCOUNT_HEAD_BYTES);
  if (decodeTokenHolding(data) === null) return [];
  const key = (kind: number, at: number): Buffer =>
    Buffer.concat([Buffer.of(kind), data.subarray(at, at + PREFIX_BYTES), address]);
  const keys = [key(KINDS.mint, MINT_AT), key(KINDS.owner, HOLDER_AT)];
  if (data.readUInt32LE(DELEGATE_TAG_AT) === 1) keys.push(key(KINDS.delegate, DELEGATE_AT));
  return keys;
}

const rangeOf = (prefix: Buffer): KeyRange => ({ start: prefix, end: Buffer.concat([prefix, AFTER_ALL]) });
