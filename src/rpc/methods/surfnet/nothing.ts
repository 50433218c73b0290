import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../../solana/account.ts';

/** A wallet without lamports: what changes apply to where there is no account, and what takes one away. */
export const NOTHING: Account = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
};
