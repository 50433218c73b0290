import { NATIVE_MINT, TOKEN_2022_PROGRAM } from '../../../programs/addresses.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../../programs/token/state.ts';
import type { Account } from '../../../solana/account.ts';
import { addressBytes, type Address } from '../../../solana/address.ts';
import type { Rent } from '../../../solana/rent.ts';
import { readExtensions, type StoredExtension } from '../../parsed/extension-list.ts';

/** Field offsets of SPL Token's `Account`, and `AccountState::Initialized`. */
const OWNER_AT = 32;
const STATE_AT = 108;
const NATIVE_RESERVE_AT = 109;
const INITIALIZED = 1;

/** Token-2022 `AccountType::Account`, and the mint extension `ExtensionType::DefaultAccountState`. */
const ACCOUNT_TYPE = 2;
const DEFAULT_ACCOUNT_STATE = 6;

/** Every ATA of Token-2022 has `ExtensionType::ImmutableOwner`. */
const IMMUTABLE_OWNER: StoredExtension = { type: 7, value: new Uint8Array(0) };

/**
 * Extensions a new account needs because its mint has one, by the mint's extension type: withheld fees,
 * non-transferable, transfer hook, pausable (`ExtensionType::get_required_init_account_extensions`). Their
 * values start as zeros.
 */
const REQUIRED_BY_MINT: ReadonlyMap<number, StoredExtension> = new Map([
  [1, { type: 2, value: new Uint8Array(8) }],
  [9, { type: 13, value: new Uint8Array(0) }],
  [14, { type: 15, value: new Uint8Array(1) }],
  [26, { type: 27, value: new Uint8Array(0) }],
]);

/**
 * The data of a new, empty ATA as its programs would create it: with the extensions its mint requires, in the
 * mint's default state.
 *
 * @param rent of the ledger.
 */
export function newTokenAccount(mint: Address, mintAccount: Account, owner: Address, rent: Rent): Uint8Array {
  const isExtended = mintAccount.owner === TOKEN_2022_PROGRAM;
  const ofMint = isExtended ? readExtensions(mintAccount.data) : [];
  const required = ofMint.flatMap(({ type }) => REQUIRED_BY_MINT.get(type) ?? []);
  const extensions = isExtended ? encodeExtensions([IMMUTABLE_OWNER, ...required]) : new Uint8Array(0);
  const data = new Uint8Array(TOKEN_ACCOUNT_BYTES + extensions.length);
  data.set(addressBytes(mint), 0);
  data.set(addressBytes(owner), OWNER_AT);
  data[STATE_AT] = ofMint.find(({ type }) => type === DEFAULT_ACCOUNT_STATE)?.value[0] ?? INITIALIZED;
  data.set(extensions, TOKEN_ACCOUNT_BYTES);
  if (mint === NATIVE_MINT) writeReserve(data, rent);
  return data;
}

/** Account type u8, then for each extension its type u16, the length of its value u16, and the value. */
function encodeExtensions(extensions: readonly StoredExtension[]): Uint8Array {
  const parts = extensions.flatMap(({ type, value }) => {
    const header = Buffer.alloc(4);
    header.writeUInt16LE(type, 0);
    header.writeUInt16LE(value.length, 2);
    return [header, value];
  });
  return Buffer.concat([Buffer.of(ACCOUNT_TYPE), ...parts]);
}

/** For wrapped SOL: the lamports that are rent and not tokens, an option of u64. */
function writeReserve(data: Uint8Array, rent: Rent): void {
  const view = new DataView(data.buffer);
  view.setUint32(NATIVE_RESERVE_AT, 1, true);
  view.setBigUint64(NATIVE_RESERVE_AT + 4, rent.minimum(data.length), true);
}
