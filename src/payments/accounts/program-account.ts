import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';

/**
 * Whether the account at a PDA of the ephemeral token program belongs to that program, delegated or not.
 * Lamports sent to the address before its creation leave a system account there, which does not count.
 */
export const isProgramAccount = (account: Account | null): boolean =>
  account !== null && (account.owner === EPHEMERAL_TOKEN_PROGRAM || account.owner === DELEGATION_PROGRAM);
