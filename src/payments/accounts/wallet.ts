import { isTokenProgram } from '../../programs/token/token-program.ts';
import { ServiceError } from '../../errors/service-error.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  COMPUTE_BUDGET_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  MAGIC_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  NATIVE_LOADER,
  NOOP_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import { decodeMint, decodeTokenAccount } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import { isOnCurve } from '../../solana/curve.ts';

/** Addresses of programs, also where no account shows them to be; most of them happen to lie on the curve. */
const PROGRAMS: ReadonlySet<Address> = new Set([
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  COMPUTE_BUDGET_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  MAGIC_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  NATIVE_LOADER,
  NOOP_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
]);

/**
 * Refuses an address where a wallet is needed that is none whatever the chain holds: one off the curve, which has no
 * private key, so that nobody could sign `what`, and whose ATA is not derived this way; and a program.
 *
 * @param field the argument the address came in.
 * @param what the thing to be signed, with its article: "a deposit".
 * @throws {ServiceError} INVALID_OWNER.
 */
export function requireWallet(wallet: Address, field: string, what: string): void {
  refuseProgram(wallet, field);
  if (isOnCurve(addressBytes(wallet))) return;
  throw new ServiceError(
    'INVALID_OWNER',
    `${field} ${wallet} is off the curve (a program-derived address): it cannot sign ${what}; pass the address of a wallet`,
    { field, [field]: wallet },
  );
}

/**
 * Refuses the address of a well-known program, for which nobody has a key.
 *
 * @throws {ServiceError} INVALID_OWNER.
 */
export function refuseProgram(wallet: Address, field: string): void {
  if (PROGRAMS.has(wallet)) throw noWallet(wallet, field, 'a program');
}

/**
 * Refuses an address whose account shows that it is no wallet: it belongs to another program than the system program,
 * so that it pays no fees, and tokens sent to it are lost. A wallet that holds nothing yet has no account.
 *
 * @throws {ServiceError} INVALID_OWNER.
 */
export function requireWalletAccount(wallet: Address, field: string, account: Account | null): void {
  if (account === null || (account.owner === SYSTEM_PROGRAM && !account.executable)) return;
  throw noWallet(wallet, field, describeAccount(account));
}

/** The error for an address that is `what`, with its article, instead of a wallet. */
export const noWallet = (wallet: Address, field: string, what: string): ServiceError =>
  new ServiceError(
    'INVALID_OWNER',
    `${field} ${wallet} is not a wallet but ${what}; pass the address of a wallet`,
    { field, [field]: wallet },
  );

function describeAccount({ owner, executable, data }: Account): string {
  if (executable) return 'a program';
  if (owner === SYSVAR_OWNER) return 'a sysvar';
  if (isTokenProgram(owner)) {
    if (decodeMint(data) !== null) return 'a mint';
    if (decodeTokenAccount(data) !== null) return 'a token account';
  }
  return `an account of program ${owner}`;
}
