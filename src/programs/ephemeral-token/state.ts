import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { viewOf } from '../../solana/view-of.ts';
import { deriveEata } from './pdas.ts';

/** Size of an eATA and of a vault on layout A, bytes. */
export const EATA_BYTES_A = 72;
export const VAULT_BYTES_A = 32;
/** Size of an eATA on layout B, bytes: the same fields, then the bump and seven zeros. */
export const EATA_BYTES_B = 80;

/** An eATA: an owner's share of a mint's vault. Its bytes do not change by delegation. */
export interface Eata {
  readonly owner: Address;
  readonly mint: Address;
  /** Base units. */
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

/** The eATA in an account, and the one address at which it is valid. */
interface EataFacts {
  readonly address: Address;
  readonly mint: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** Accounts are replaced, never changed, so a decoded value stays valid for its account. */
const known = new WeakMap<Account, EataFacts | null>();

/** The eATA in an account, wherever that is; null for any other account. Derived once for each object. */
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
