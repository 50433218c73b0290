import type { AccountEntry } from '../../../ledger/genesis/genesis.ts';
import { NATIVE_MINT, TOKEN_2022_PROGRAM } from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { rentOf } from '../../../programs/sysvars.ts';
import type { TokenExtension } from '../../../programs/token/mint-extensions.ts';
import { decodeMint, isTokenProgram, TOKEN_ACCOUNT_BYTES } from '../../../programs/token/state.ts';
import { type Account, type Rent, RENT_EXEMPT_EPOCH } from '../../../solana/account.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { viewOf } from '../../../solana/byte-reader.ts';
import { invalidParams } from '../../errors.ts';
import { baseUnits, optional, string, struct, variant, verifyAddress } from '../../params/readers.ts';
import { ACCOUNT_STATES, readExtensions } from '../../parsed/token-extensions.ts';
import { defineMethod, type RpcNode } from '../../rpc-method.ts';
import { operatorOf, putAccounts } from './account-cheats.ts';

/** The fields of a token account to change (Surfpool `TokenAccountUpdate`). */
interface TokenAccountUpdate {
  /** Amount, in base units. */
  readonly amount: bigint | undefined;
  /** An address, or the text `null` to remove the delegate. */
  readonly delegate: string | undefined;
  readonly state: TokenAccountState | undefined;
  /** Delegated amount, in base units. */
  readonly delegatedAmount: bigint | undefined;
  /** An address, or the text `null` to remove the authority. */
  readonly closeAuthority: string | undefined;
}

type TokenAccountState = (typeof ACCOUNT_STATES)[number];

const tokenAccountUpdate = struct<TokenAccountUpdate>('TokenAccountUpdate', {
  amount: optional(baseUnits),
  delegate: optional(string),
  state: optional(variant(ACCOUNT_STATES)),
  delegatedAmount: optional(baseUnits),
  closeAuthority: optional(string),
});

/** Offsets of the changeable fields of SPL Token's `Account`. An option is a u32 tag and the value. */
const AMOUNT_AT = 64;
const DELEGATE_AT = 72;
const STATE_AT = 108;
const DELEGATED_AMOUNT_AT = 121;
const CLOSE_AUTHORITY_AT = 129;

/**
 * Returns the data of a token account after the update.
 *
 * @throws {RpcError} -32602 for an invalid address.
 */
function updateTokenAccount(before: Uint8Array, update: TokenAccountUpdate): Uint8Array {
  const data = new Uint8Array(before);
  const view = new DataView(data.buffer);
  if (update.amount !== undefined) view.setBigUint64(AMOUNT_AT, update.amount, true);
  if (update.delegate !== undefined) writeOptionalAddress(data, DELEGATE_AT, update.delegate);
  if (update.state !== undefined) data[STATE_AT] = ACCOUNT_STATES.indexOf(update.state);
  if (update.delegatedAmount !== undefined) {
    view.setBigUint64(DELEGATED_AMOUNT_AT, update.delegatedAmount, true);
  }
  if (update.closeAuthority !== undefined) {
    writeOptionalAddress(data, CLOSE_AUTHORITY_AT, update.closeAuthority);
  }
  return data;
}

function writeOptionalAddress(data: Uint8Array, at: number, text: string): void {
  const address = text === 'null' ? null : verifyAddress(text);
  data.fill(0, at, at + 36);
  if (address === null) return;
  data[at] = 1;
  data.set(addressBytes(address), at + 4);
}

/** Field offsets of SPL Token's `Account`, and `AccountState::Initialized`. */
const OWNER_AT = 32;
const NATIVE_RESERVE_AT = 109;
const INITIALIZED = 1;

/** Token-2022 `AccountType::Account`, and the mint extension `ExtensionType::DefaultAccountState`. */
const ACCOUNT_TYPE = 2;
const DEFAULT_ACCOUNT_STATE = 6;

/** `ExtensionType::ImmutableOwner`, which every Token-2022 ATA has. */
const IMMUTABLE_OWNER: TokenExtension = { type: 7, value: new Uint8Array(0) };

/**
 * Extensions that a mint's extension requires in new accounts, by the mint's extension type: withheld fees,
 * non-transferable, transfer hook, pausable (`ExtensionType::get_required_init_account_extensions`). Their
 * values start as zeros.
 */
const REQUIRED_BY_MINT: ReadonlyMap<number, TokenExtension> = new Map([
  [1, { type: 2, value: new Uint8Array(8) }],
  [9, { type: 13, value: new Uint8Array(0) }],
  [14, { type: 15, value: new Uint8Array(1) }],
  [26, { type: 27, value: new Uint8Array(0) }],
]);

/**
 * Encodes a new, empty ATA as its programs create it: with the extensions that its mint requires and in the
 * mint's default state.
 *
 * @param rent the ledger's rent.
 */
function newTokenAccount(mint: Address, mintAccount: Account, owner: Address, rent: Rent): Uint8Array {
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

/** Encodes the account type u8, then the type u16, value length u16 and value of each extension. */
function encodeExtensions(extensions: readonly TokenExtension[]): Uint8Array {
  const parts = extensions.flatMap(({ type, value }) => {
    const header = Buffer.alloc(4);
    header.writeUInt16LE(type, 0);
    header.writeUInt16LE(value.length, 2);
    return [header, value];
  });
  return Buffer.concat([Buffer.of(ACCOUNT_TYPE), ...parts]);
}

/** Writes the lamports of a wrapped SOL account that are rent and not tokens, as an option of u64. */
function writeReserve(data: Uint8Array, rent: Rent): void {
  const view = new DataView(data.buffer);
  view.setUint32(NATIVE_RESERVE_AT, 1, true);
  view.setBigUint64(NATIVE_RESERVE_AT + 4, rent.minimum(data.length), true);
}

const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** Offset of the supply in SPL Token's `Mint`, u64. */
const SUPPLY_AT = 36;

/**
 * `surfnet_setTokenAccount([owner, mint, { amount?, delegate?, state?, delegatedAmount?, closeAuthority? },
 * tokenProgram?])`: changes or creates the owner's ATA. Adjusts the supply of the mint, or the lamports of
 * wrapped SOL, to the amount.
 */
export const surfnetSetTokenAccount = defineMethod(
  'surfnet_setTokenAccount',
  { required: [string, string, tokenAccountUpdate], optional: [string] },
  (node, ownerText, mintText, update, programText) => {
    operatorOf(node);
    const owner = verifyAddress(ownerText);
    const mint = verifyAddress(mintText);
    const program = programText === undefined ? undefined : verifyAddress(programText);
    const mintAccount = readMint(node, mint, program);
    return putAccounts(node, updated(node, { owner, mint, mintAccount }, update));
  },
);

/** Returns the owner's ATA after the update, and the mint if its supply changes. */
function updated(
  node: RpcNode,
  {
    owner,
    mint,
    mintAccount,
  }: { readonly owner: Address; readonly mint: Address; readonly mintAccount: Account },
  update: TokenAccountUpdate,
): AccountEntry[] {
  const ata = deriveAta(owner, mint, mintAccount.owner).address;
  const rent = rentOf(node.ledger);
  const before = readHolding(node, ata, mintAccount.owner);
  const data = updateTokenAccount(before?.data ?? newTokenAccount(mint, mintAccount, owner, rent), update);
  const account: Account = {
    lamports: lamportsFor(mint, data, before?.lamports ?? 0n, rent),
    owner: mintAccount.owner,
    data,
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
  const difference = amountOf(data) - (before === null ? 0n : amountOf(before.data));
  return [[ata, account], ...supplyChanged(mint, mintAccount, difference)];
}

/** @throws {RpcError} -32602 if the address is not a mint or the mint belongs to another token program. */
function readMint({ ledger }: RpcNode, mint: Address, program: Address | undefined): Account {
  const account = ledger.getAccount(mint);
  if (account === null || !isTokenProgram(account.owner) || decodeMint(account.data) === null) {
    throw invalidParams(`${mint} is not a mint`);
  }
  if (program === undefined || program === account.owner) return account;
  throw invalidParams(`the mint ${mint} belongs to the token program ${account.owner}`);
}

/** @throws {RpcError} -32602 if the account at the address is not a token account. */
function readHolding({ ledger }: RpcNode, ata: Address, program: Address): Account | null {
  const account = ledger.getAccount(ata);
  if (account === null || account.data.length === 0) return null;
  if (account.owner === program && account.data.length >= TOKEN_ACCOUNT_BYTES) return account;
  throw invalidParams(`${ata} is not a token account`);
}

/** Returns the lamports of a token account: the rent, plus the amount for wrapped SOL. */
function lamportsFor(mint: Address, data: Uint8Array, before: bigint, rent: Rent): bigint {
  const minimum = rent.minimum(data.length);
  if (mint === NATIVE_MINT) return minimum + amountOf(data);
  return before < minimum ? minimum : before;
}

/** Reads the amount of any token account, even an uninitialized one. */
function amountOf(data: Uint8Array): bigint {
  return viewOf(data).getBigUint64(AMOUNT_AT, true);
}

/** Adjusts the supply of a mint, so that all its tokens can be burned. Wrapped SOL has no supply. */
function supplyChanged(mint: Address, account: Account, difference: bigint): AccountEntry[] {
  if (difference === 0n || mint === NATIVE_MINT) return [];
  const data = new Uint8Array(account.data);
  const view = new DataView(data.buffer);
  const supply = view.getBigUint64(SUPPLY_AT, true) + difference;
  if (supply > U64_MAX) throw invalidParams(`the supply of ${mint} would exceed a u64`);
  view.setBigUint64(SUPPLY_AT, supply < 0n ? 0n : supply, true);
  return [[mint, { ...account, data }]];
}
