import { type Address, addressOf, isAddressAt } from '../../solana/address.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses.ts';

/** Whether a program owns mints and token accounts (Agave `is_known_spl_token_id`). */
export function isTokenProgram(program: Address | null | undefined): program is Address {
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
}

/** Sizes of mints and token accounts without extensions (SPL Token `Mint::LEN`, `Account::LEN`), in bytes. */
export const MINT_BYTES = 82;
export const TOKEN_ACCOUNT_BYTES = 165;

/** Offset of Token-2022's account-type byte: right after a plain token account. */
const ACCOUNT_TYPE_AT = TOKEN_ACCOUNT_BYTES;
const ACCOUNT_TYPE_MINT = 1;
const ACCOUNT_TYPE_ACCOUNT = 2;

/** Size of a multisig. No mint or token account has this size (SPL Token `Multisig::LEN`). */
const MULTISIG_BYTES = 355;

/** The decimals of a mint, which give its amounts their meaning. */
export interface MintScale {
  readonly decimals: number;
}

export interface Mint extends MintScale {
  readonly mintAuthority: Address | null;
  /** Base units in existence. */
  readonly supply: bigint;
  readonly freezeAuthority: Address | null;
}

/** The balance of a token account, and whether it is frozen. */
export interface TokenHolding {
  /** Amount, in base units. */
  readonly amount: bigint;
  readonly state: 'initialized' | 'frozen';
}

export interface TokenAccount extends TokenHolding {
  readonly mint: Address;
  /** The wallet that may spend the tokens, not the program that owns the account. */
  readonly owner: Address;
  readonly delegate: Address | null;
  /** For wrapped SOL, the lamports that are rent rather than tokens; null for other mints. */
  readonly rentExemptReserve: bigint | null;
  readonly delegatedAmount: bigint;
  readonly closeAuthority: Address | null;
}

/**
 * Decodes the scale of an initialized mint, with or without Token-2022 extensions; null for other bytes.
 * Layout: SPL Token `Mint`; a COption is a u32 tag and the value.
 */
export function decodeMintScale(data: Uint8Array): MintScale | null {
  if (!hasLayout(data, MINT_BYTES, ACCOUNT_TYPE_MINT)) return null;
  const view = viewOf(data);
  if (data[45] !== 1 || !isOptionTag(view, 0) || !isOptionTag(view, 46)) return null;
  return { decimals: data[44] as number };
}

/** Decodes an initialized mint; null for other bytes. */
export function decodeMint(data: Uint8Array): Mint | null {
  const scale = decodeMintScale(data);
  if (scale === null) return null;
  const view = viewOf(data);
  return {
    ...scale,
    mintAuthority: optionalAddressAt(data, 0),
    supply: view.getBigUint64(36, true),
    freezeAuthority: optionalAddressAt(data, 46),
  };
}

/**
 * Decodes the balance of an initialized token account, with or without Token-2022 extensions; null for other
 * bytes. It skips the costly base58 encoding of addresses. Layout: SPL Token `Account`.
 */
export function decodeTokenHolding(data: Uint8Array): TokenHolding | null {
  if (!hasLayout(data, TOKEN_ACCOUNT_BYTES, ACCOUNT_TYPE_ACCOUNT)) return null;
  const view = viewOf(data);
  const state = data[108];
  // 0 is an uninitialized account (SPL Token `AccountState`).
  if (state !== 1 && state !== 2) return null;
  if (!isOptionTag(view, 72) || !isOptionTag(view, 109) || !isOptionTag(view, 129)) return null;
  return { amount: view.getBigUint64(64, true), state: state === 1 ? 'initialized' : 'frozen' };
}

/** Decodes an initialized token account; null for other bytes. */
export function decodeTokenAccount(data: Uint8Array): TokenAccount | null {
  const holding = decodeTokenHolding(data);
  if (holding === null) return null;
  const view = viewOf(data);
  return {
    ...holding,
    mint: addressOf(data.subarray(0, 32)),
    owner: addressOf(data.subarray(32, 64)),
    delegate: optionalAddressAt(data, 72),
    rentExemptReserve: view.getUint32(109, true) === 1 ? view.getBigUint64(113, true) : null,
    delegatedAmount: view.getBigUint64(121, true),
    closeAuthority: optionalAddressAt(data, 129),
  };
}

/** Whether a token account's data names this mint. */
export const isOfMint = (data: Uint8Array, mint: Address): boolean => isAddressAt(data, 0, mint);

/** Whether a token account's data names this owner. */
export const isHeldBy = (data: Uint8Array, owner: Address): boolean => isAddressAt(data, 32, owner);

/** Reads the owner from a token account's data. */
export const holderOf = (data: Uint8Array): Address => addressOf(data.subarray(32, 64));

function hasLayout(data: Uint8Array, bytes: number, accountType: number): boolean {
  if (data.length === bytes) return true;
  return (
    data.length > ACCOUNT_TYPE_AT && data.length !== MULTISIG_BYTES && data[ACCOUNT_TYPE_AT] === accountType
  );
}

function isOptionTag(view: DataView, offset: number): boolean {
  // SPL Token fails to unpack any other tag.
  return view.getUint32(offset, true) <= 1;
}

/** Reads the address in a COption whose u32 tag is already known to be 0 or 1. */
export function optionalAddressAt(data: Uint8Array, offset: number): Address | null {
  return data[offset] === 1 ? addressOf(data.subarray(offset + 4, offset + 36)) : null;
}
