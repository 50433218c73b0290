import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../../solana/account.ts';

/**
 * A wallet without lamports: the starting point for changes to an absent account, and the value that removes
 * one.
 */
export const NOTHING: Account = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
};
