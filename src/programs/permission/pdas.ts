import type { Address } from '../../solana/address.ts';
import { findPda, type Pda } from '../../solana/pda.ts';
import { PERMISSION_PROGRAM } from '../addresses.ts';
import { textSeed } from '../seeds.ts';

const PERMISSION_SEED = textSeed('permission:');

/** Size the permission program allocates for a permission account, bytes. */
export const PERMISSION_BYTES = 567;

/** The permission of an account on the rollup. Seeds "permission:", account. */
export const derivePermission = (account: Address): Pda =>
  findPda([PERMISSION_SEED, account], PERMISSION_PROGRAM);
