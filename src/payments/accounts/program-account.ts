import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';

/**
 * Whether the account at an address that the ephemeral token program derives is that program's, delegated or not.
 * Lamports alone, sent to the address before anything was created there, do not make it so.
 */
export const isProgramAccount = (account: Account | null): boolean =>
  account !== null && (account.owner === EPHEMERAL_TOKEN_PROGRAM || account.owner === DELEGATION_PROGRAM);
