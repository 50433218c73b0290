import type { Address } from '../../solana/address.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  EPHEMERAL_VAULT,
  MAGIC_CONTEXT,
  MAGIC_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
} from '../addresses.ts';
import { HYDRA_PROGRAM } from '../hydra.ts';
import { RECENT_BLOCKHASHES_SYSVAR, RENT_SYSVAR } from '../sysvars.ts';

/** Roles that have the same address in every call. */
export const FIXED_ACCOUNTS = {
  systemProgram: SYSTEM_PROGRAM,
  ataProgram: ASSOCIATED_TOKEN_PROGRAM,
  ephemeralTokenProgram: EPHEMERAL_TOKEN_PROGRAM,
  delegationProgram: DELEGATION_PROGRAM,
  permissionProgram: PERMISSION_PROGRAM,
  magicProgram: MAGIC_PROGRAM,
  magicContext: MAGIC_CONTEXT,
  ephemeralVault: EPHEMERAL_VAULT,
  hydraProgram: HYDRA_PROGRAM,
  rentSysvar: RENT_SYSVAR,
  recentBlockhashesSysvar: RECENT_BLOCKHASHES_SYSVAR,
} as const;

export type FixedRole = keyof typeof FIXED_ACCOUNTS;

/**
 * Whether a call must have the account. `needed`: always. `optional`: may be missing, at the end only.
 * `free`: always, with rights chosen by the caller.
 */
export type Presence = 'needed' | 'optional' | 'free';

/** One account of an instruction. */
export interface AccountSpec<
  R extends string = string,
  P extends Presence = Presence,
  G extends string = string,
> {
  /** The account's role in the instruction, camelCase and stable. */
  readonly role: R;
  readonly signer: boolean;
  readonly writable: boolean;
  readonly presence: P;
  /** The address, if it is the same in every call. */
  readonly fixed: Address | null;
  /**
   * The name under which callers of an encoder pass the account: its role, another name, or `group.name`.
   * `path` holds the parts of the name.
   */
  readonly given: G;
  readonly path: readonly string[];
}

const FIXED: Readonly<Record<string, Address>> = FIXED_ACCOUNTS;

interface NameAccount {
  <R extends string>(role: R): AccountSpec<R, 'needed', R>;
  <R extends string, G extends string>(role: R, given: G): AccountSpec<R, 'needed', G>;
}

const account =
  (signs: boolean, changes: boolean): NameAccount =>
  <R extends string>(role: R, given: string = role) => ({
    role,
    signer: signs,
    writable: changes,
    presence: 'needed' as const,
    fixed: FIXED[role] ?? null,
    given: given as R,
    path: given.split('.'),
  });

/** A read-only account that does not sign. */
export const readonly = account(false, false);
/** A writable account that does not sign. */
export const writable = account(false, true);
/** A read-only account that signs. */
export const signer = account(true, false);
/** A writable account that signs. */
export const writableSigner = account(true, true);

/** Makes a trailing account optional. */
export const optional = <R extends string, G extends string>(
  spec: AccountSpec<R, 'needed', G>,
): AccountSpec<R, 'optional', G> => ({ ...spec, presence: 'optional', fixed: null });

/** Describes an account whose rights the caller chooses. */
export const free = <R extends string>(role: R): AccountSpec<R, 'free', R> => ({
  ...readonly(role),
  presence: 'free',
});
