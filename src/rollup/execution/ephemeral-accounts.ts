import type { Outcome } from '../../ledger/run/executor.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import { EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import { decodeMagicCall } from '../../programs/magic/magic-call.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { ephemeralEntry } from '../books/entries.ts';
import type { Entry } from '../books/item.ts';
import type { MagicProgramCall } from './magic-calls.ts';
import { paymentPayers } from './payment-payers.ts';

/** The programs whose calls the rollup carries out: those of private payments. */
export const PAYMENT_PROGRAMS: ReadonlySet<Address> = new Set([EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM]);

/** Bytes a program may ask for at once (Agave `MAX_PERMITTED_DATA_INCREASE`). */
const DATA_BYTES_MAX = 10_240;

/** At whose expense an account was made. Account objects are replaced, never changed. */
const sponsors = new WeakMap<Account, Address>();

/**
 * The accounts that exist on the rollup only and that a run asked the Magic program to create
 * (`CreateEphemeral Account`: sponsor, account, vault), where there are none yet. The program that stands in
 * for it makes nothing, so that they have to be there beforehand: zeros, owned by the program that asked. On
 * MagicBlock's validator they hold no lamports; here an account without lamports does not exist, and they
 * hold those of one that is exempt from rent, which come from nowhere and end with it.
 */
export function missingAccounts(
  calls: readonly MagicProgramCall[],
  accounts: Pick<AccountView, 'get'>,
): Entry[] {
  return calls.flatMap(({ caller, accounts: [sponsor, address], data }) => {
    const call = PAYMENT_PROGRAMS.has(caller) ? decodeMagicCall(data) : null;
    if (call?.kind !== 'createAccount' || call.dataBytes > DATA_BYTES_MAX) return [];
    if (sponsor === undefined || address === undefined || accounts.get(address) !== undefined) return [];
    const account = {
      lamports: rentExemptMinimum(call.dataBytes),
      owner: caller,
      data: new Uint8Array(call.dataBytes),
      executable: false,
      rentEpoch: RENT_EXEMPT_EPOCH,
    };
    sponsors.set(account, sponsor);
    return [[address, account] as const];
  });
}

/** What the books are to keep of the accounts of {@link missingAccounts} that a run has made its own. */
export function madeEntries(
  transaction: Transaction,
  addresses: readonly Address[],
  { supplied, after, execution }: Pick<Outcome, 'supplied' | 'after' | 'execution'>,
): Entry[] {
  if (supplied === undefined) return [];
  const payers = paymentPayers(transaction, addresses, execution);
  return [...supplied].flatMap(([address, account]) => {
    const sponsor = sponsors.get(account);
    if (sponsor === undefined || after[addresses.indexOf(address)] === undefined) return [];
    const reader = payers.get(address) ?? null;
    return [ephemeralEntry({ address, sponsor, program: account.owner, reader })];
  });
}
