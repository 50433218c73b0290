import type { AccountEntry } from '../../../ledger/genesis/genesis.ts';
import { NATIVE_MINT } from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { decodeMint, TOKEN_ACCOUNT_BYTES } from '../../../programs/token/state.ts';
import { isTokenProgram } from '../../../programs/token/token-program.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { rentOf } from '../../../programs/rent.ts';
import type { Rent } from '../../../solana/rent.ts';
import { viewOf } from '../../../solana/view-of.ts';
import { invalidParams } from '../../errors.ts';
import { verifyAddress } from '../../params/keys.ts';
import { string } from '../../params/primitives.ts';
import { defineMethod } from '../../rpc-method.ts';
import type { RpcNode } from '../../rpc-node.ts';
import { newTokenAccount } from './new-token-account.ts';
import { operatorOf } from './operator-of.ts';
import { putAccounts } from './put-accounts.ts';
import { tokenAccountUpdate, updateTokenAccount, type TokenAccountUpdate } from './token-account-update.ts';

const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** Offsets of the supply in SPL Token's `Mint` and of the amount in its `Account`, u64 each. */
const SUPPLY_AT = 36;
const AMOUNT_AT = 64;

/**
 * `surfnet_setTokenAccount([owner, mint, { amount?, delegate?, state?, delegatedAmount?, closeAuthority? },
 * tokenProgram?])`: changes or creates the owner's ATA. The supply of the mint changes with the amount; for
 * wrapped SOL the lamports do.
 */
export const surfnetSetTokenAccount = defineMethod(
  'surfnet_setTokenAccount',
  { required: [string, string, tokenAccountUpdate], optional: [string] },
  (node, ownerText, mintText, update, programText) => {
    operatorOf(node);
    const owner = verifyAddress(ownerText);
    const mint = verifyAddress(mintText);
    const program = programText === undefined ? undefined : verifyAddress(programText);
    return putAccounts(node, () => {
      const mintAccount = readMint(node, mint, program);
      return updated(node, { owner, mint, mintAccount }, update);
    });
  },
);

/** The owner's ATA after the update, and the mint if its supply changes. */
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

/**
 * @throws {RpcError} -32602 if there is no mint at the address, or if it belongs to another program than the
 *   caller says.
 */
function readMint({ ledger }: RpcNode, mint: Address, program: Address | undefined): Account {
  const account = ledger.getAccount(mint);
  if (account === null || !isTokenProgram(account.owner) || decodeMint(account.data) === null) {
    throw invalidParams(`${mint} is no mint`);
  }
  if (program === undefined || program === account.owner) return account;
  throw invalidParams(`the mint ${mint} belongs to the token program ${account.owner}`);
}

/** @throws {RpcError} -32602 if something other than a token account is at its address. */
function readHolding({ ledger }: RpcNode, ata: Address, program: Address): Account | null {
  const account = ledger.getAccount(ata);
  if (account === null || account.data.length === 0) return null;
  if (account.owner === program && account.data.length >= TOKEN_ACCOUNT_BYTES) return account;
  throw invalidParams(`${ata} is not a token account`);
}

/**
 * Wrapped SOL holds its amount in lamports on top of the rent; any other account only has to be rent-exempt.
 */
function lamportsFor(mint: Address, data: Uint8Array, before: bigint, rent: Rent): bigint {
  const minimum = rent.minimum(data.length);
  if (mint === NATIVE_MINT) return minimum + amountOf(data);
  return before < minimum ? minimum : before;
}

/** Also for an uninitialised account. */
function amountOf(data: Uint8Array): bigint {
  return viewOf(data).getBigUint64(AMOUNT_AT, true);
}

/**
 * The mint with its supply changed by `difference`, so that all tokens can still be burnt. Wrapped SOL has no
 * supply.
 */
function supplyChanged(mint: Address, account: Account, difference: bigint): AccountEntry[] {
  if (difference === 0n || mint === NATIVE_MINT) return [];
  const data = new Uint8Array(account.data);
  const view = new DataView(data.buffer);
  const supply = view.getBigUint64(SUPPLY_AT, true) + difference;
  if (supply > U64_MAX) throw invalidParams(`the supply of ${mint} would be larger than a u64`);
  view.setBigUint64(SUPPLY_AT, supply < 0n ? 0n : supply, true);
  return [[mint, { ...account, data }]];
}
