import { ServiceError } from '../../errors/service-error.ts';
import * as ids from '../../programs/addresses.ts';
import { decodeMint, decodeTokenAccount, isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { isOnCurve } from '../../solana/pda.ts';

/**
 * Well-known programs, recognized without a read. A curve check misses most of them, because their addresses
 * are on the curve by chance.
 */
const PROGRAMS: ReadonlySet<Address> = new Set([
  ids.ADDRESS_LOOKUP_TABLE_PROGRAM,
  ids.ASSOCIATED_TOKEN_PROGRAM,
  ids.BPF_LOADER_2,
  ids.BPF_LOADER_UPGRADEABLE,
  ids.COMPUTE_BUDGET_PROGRAM,
  ids.DELEGATION_PROGRAM,
  ids.EPHEMERAL_TOKEN_PROGRAM,
  ids.MAGIC_PROGRAM,
  ids.MEMO_PROGRAM,
  ids.MEMO_PROGRAM_V1,
  ids.NATIVE_LOADER,
  ids.NOOP_PROGRAM,
  ids.PERMISSION_PROGRAM,
  ids.SYSTEM_PROGRAM,
  ids.SYSVAR_OWNER,
  ids.TOKEN_2022_PROGRAM,
  ids.TOKEN_PROGRAM,
]);

/** Checks whether an address is a well-known program. */
export const isKnownProgram = (address: Address): boolean => PROGRAMS.has(address);

/**
 * Rejects an address that can never be a wallet: a program, or an address off the curve. The latter has no
 * private key, so it cannot sign, and its ATA is derived differently.
 *
 * @param field the argument with the address.
 * @param what what the wallet signs, with its article: "a deposit".
 * @throws {ServiceError} INVALID_OWNER.
 */
export function requireWallet(wallet: Address, field: string, what: string): void {
  rejectProgram(wallet, field);
  if (isOnCurve(addressBytes(wallet))) return;
  throw new ServiceError(
    'INVALID_OWNER',
    `${field} ${wallet} is off the curve (a program-derived address): it cannot sign ${what}; pass the address of a wallet`,
    { field, [field]: wallet },
  );
}

/**
 * Rejects the address of a well-known program, which has no private key.
 *
 * @throws {ServiceError} INVALID_OWNER.
 */
export function rejectProgram(wallet: Address, field: string): void {
  if (isKnownProgram(wallet)) throw noWallet(wallet, field, 'a program');
}

/**
 * Rejects an address whose account is not owned by the system program. Such an account cannot pay fees, and
 * tokens sent to it are lost. A wallet without lamports has no account.
 *
 * @throws {ServiceError} INVALID_OWNER.
 */
export function requireWalletAccount(wallet: Address, field: string, account: Account | null): void {
  if (account === null || (account.owner === ids.SYSTEM_PROGRAM && !account.executable)) return;
  throw noWallet(wallet, field, describeAccount(account));
}

/** Builds the error for an address that is not a wallet. `what` describes it, with its article. */
export const noWallet = (wallet: Address, field: string, what: string): ServiceError =>
  new ServiceError(
    'INVALID_OWNER',
    `${field} ${wallet} is not a wallet but ${what}; pass the address of a wallet`,
    { field, [field]: wallet },
  );

function describeAccount({ owner, executable, data }: Account): string {
  if (executable) return 'a program';
  if (owner === ids.SYSVAR_OWNER) return 'a sysvar';
  if (isTokenProgram(owner)) {
    if (decodeMint(data) !== null) return 'a mint';
    if (decodeTokenAccount(data) !== null) return 'a token account';
  }
  return `an account of program ${owner}`;
}
