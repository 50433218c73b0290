import type { Account } from '../solana/account.ts';
import { viewOf } from '../solana/view-of.ts';
import { SYSVAR_OWNER } from './addresses.ts';

/** Bytes of an entry: slot u64, hash 32. */
const ENTRY_BYTES = 40;

/**
 * The newest slot in the `SlotHashes` sysvar (Agave: u64 count, then the entries, newest first); null when
 * the account is not that or has none.
 */
export function newestSlotHash(account: Account | null): bigint | null {
  if (account === null || account.owner !== SYSVAR_OWNER || account.data.length < 8 + ENTRY_BYTES)
    return null;
  const view = viewOf(account.data);
  return view.getBigUint64(0, true) === 0n ? null : view.getBigUint64(8, true);
}
