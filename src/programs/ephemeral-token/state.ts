import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import { deriveEata, deriveVault } from './pdas.ts';

/** Size of an eATA and of a vault on layout A, in bytes. */
export const EATA_BYTES_A = 72;
export const VAULT_BYTES_A = 32;
/** Size of an eATA on layout B, in bytes: the fields of layout A, then the bump and seven zeros. */
export const EATA_BYTES_B = 80;

/** An eATA: an owner's share of a mint's vault. Delegation does not change its bytes. */
export interface Eata {
  readonly owner: Address;
  readonly mint: Address;
  /** Amount, in base units. */
  readonly amount: bigint;
}

/** Whether data has the size of an eATA of either layout: layout B appends to the fields of layout A. */
export function isEataSize({ length }: Uint8Array): boolean {
  return length === EATA_BYTES_A || length === EATA_BYTES_B;
}

/** Decodes an eATA (owner 32, mint 32, amount u64; either layout); null for a wrong length. */
export function decodeEata(data: Uint8Array): Eata | null {
  if (!isEataSize(data)) return null;
  return {
    owner: addressOf(data.subarray(0, 32)),
    mint: addressOf(data.subarray(32, 64)),
    amount: viewOf(data).getBigUint64(64, true),
  };
}

/** The eATA in an account, and the only address at which it is valid. */
interface EataFacts {
  readonly address: Address;
  readonly mint: Address;
  /** Amount, in base units. */
  readonly amount: bigint;
}

/** Accounts are immutable objects, so a decoded value stays valid for its account. */
const known = new WeakMap<Account, EataFacts | null>();

/** Decodes the eATA in an account at any address; null for any other account. Cached per account object. */
export function readEata(account: Account): EataFacts | null {
  let facts = known.get(account);
  if (facts !== undefined) return facts;
  const eata = decodeEata(account.data);
  facts = eata && {
    address: deriveEata(eata.owner, eata.mint).address,
    mint: eata.mint,
    amount: eata.amount,
  };
  known.set(account, facts);
  return facts;
}

/** Size of a vault of layout B, in bytes: mint 32, vault's ATA 32, bump u8. */
export const VAULT_BYTES_B = 65;

/** The account that owns the deposits of a mint. */
interface Vault {
  readonly mint: Address;
  /** The vault's token account; null on layout A, which does not store it. */
  readonly tokenAccount: Address | null;
}

/**
 * Decodes a vault (mint 32; on layout B also its token account 32 and the bump). Returns null for other
 * bytes, or if the address is not the mint's vault address, because the bytes alone do not identify a vault.
 */
export function decodeVault(address: Address, data: Uint8Array): Vault | null {
  const isLayoutB = data.length === VAULT_BYTES_B;
  if (!isLayoutB && data.length !== VAULT_BYTES_A) return null;
  const mint = addressOf(data.subarray(0, 32));
  if (deriveVault(mint).address !== address) return null;
  return { mint, tokenAccount: isLayoutB ? addressOf(data.subarray(32, 64)) : null };
}
