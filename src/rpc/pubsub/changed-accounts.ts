import type { AccountReads } from '../../ledger/ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { CLOCK_SYSVAR, RECENT_BLOCKHASHES_SYSVAR, SLOT_HASHES_SYSVAR } from '../../programs/sysvars.ts';
import { SYSVAR_OWNER } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Happening } from './happening.ts';

/** The accounts that change with every slot. */
const SLOT_SYSVARS: readonly Address[] = [CLOCK_SYSVAR, SLOT_HASHES_SYSVAR, RECENT_BLOCKHASHES_SYSVAR];

/** Whether an account, or an account of a program, changes at the start of a slot without an event. */
export function changesWithSlots(addressOrProgram: Address): boolean {
  return addressOrProgram === SYSVAR_OWNER || SLOT_SYSVARS.includes(addressOrProgram);
}

/** The accounts a happening changed, in their new state; deleted ones are {@link GONE}. */
export function changedAccounts(happening: Happening, ledger: AccountReads): (readonly [Address, Account])[] {
  switch (happening.kind) {
    case 'transaction':
    case 'accounts':
      return happening.changes.map(({ address, after }) => [address, after ?? GONE]);
    case 'slot-began':
      // The sysvars of past slots are not stored.
      if (!happening.isPresent) return [];
      return SLOT_SYSVARS.map((address) => [address, ledger.getAccount(address) ?? GONE]);
    case 'slot-ended':
      return [];
  }
}
