import { decodeTokenHolding, isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { internAddress } from './intern-address.ts';

/** The addresses in a token account. */
export interface TokenKeys {
  readonly mint: Address;
  /** The wallet, not the program. */
  readonly owner: Address;
  /** May spend from it in addition to the owner. */
  readonly delegate: Address | null;
}

/**
 * SPL Token `Account`: mint 32, owner 32, amount u64, delegate (u32 tag, 32), state u8 (1 initialised, 2
 * frozen).
 */
const OWNER_AT = 32;
const AMOUNT_AT = 64;
const DELEGATE_AT = 72;
const STATE_AT = 108;

/** An account and its keys; null if it is not a token account. */
interface KnownTokenKeys {
  readonly account: Account;
  readonly keys: TokenKeys | null;
}

/**
 * Mint, owner and delegate of an initialised token account; null for any other account.
 *
 * @param earlier the same account before a change. The addresses rarely change, and comparing their bytes is
 *   cheaper than encoding them.
 */
export function readTokenKeys(account: Account, earlier?: KnownTokenKeys): TokenKeys | null {
  if (!isTokenProgram(account.owner)) return null;
  const { data } = account;
  if (earlier !== undefined && earlier.keys !== null && hasSameKeys(data, earlier.account.data)) {
    return earlier.keys;
  }
  if (decodeTokenHolding(data) === null) return null;
  return {
    mint: internAddress(data.subarray(0, OWNER_AT)),
    owner: addressOf(data.subarray(OWNER_AT, AMOUNT_AT)),
    delegate: data[DELEGATE_AT] === 1 ? addressOf(data.subarray(DELEGATE_AT + 4, STATE_AT)) : null,
  };
}

/**
 * Base units a token account holds.
 *
 * @throws {RangeError} if the data is too short.
 */
export function readTokenAmount(data: Uint8Array): bigint {
  if (data.length < DELEGATE_AT) throw new RangeError(`${data.length} bytes hold no token amount`);
  return (BigInt(readU32(data, AMOUNT_AT + 4)) << 32n) | BigInt(readU32(data, AMOUNT_AT));
}

/** Byte by byte: a DataView made for one number takes twenty times as long. */
function readU32(data: Uint8Array, at: number): number {
  let value = 0;
  for (let i = 3; i >= 0; i--) value = value * 256 + (data[at + i] as number);
  return value;
}

/** Whether `data` is an initialised token account with the addresses of `earlier`, which is one. */
function hasSameKeys(data: Uint8Array, earlier: Uint8Array): boolean {
  if (data.length !== earlier.length || decodeTokenHolding(data) === null) return false;
  return hasSameBytes(data, earlier, 0, AMOUNT_AT) && hasSameBytes(data, earlier, DELEGATE_AT, STATE_AT);
}

function hasSameBytes(a: Uint8Array, b: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (a[at] !== b[at]) return false;
  return true;
}
