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
import { RECENT_BLOCKHASHES_SYSVAR, RENT_SYSVAR } from '../sysvars.ts';
import { HYDRA_PROGRAM } from '../hydra.ts';

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
