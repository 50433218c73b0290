import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../solana/account.ts';

/** An account of the system program that holds only lamports. */
export function walletAccount(lamports: bigint): Account {
  return {
    lamports,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(0),
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}
