import type { AccountReads } from '../../ledger/ledger.ts';
import { STAKE_PROGRAM } from '../../programs/addresses.ts';
import { CLOCK_SYSVAR, type ClockTime, decodeClockTime } from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import { isLockedUp, stakeMetaOf } from '../parsed/stake-state.ts';
import { keepInSteps, type Steps } from '../scan/scan.ts';
import { takeSnapshot } from '../scan/snapshot.ts';
import type { KeyedAccount } from './account-lists.ts';
import { NON_CIRCULATING_ACCOUNTS, NON_CIRCULATING_WITHDRAWERS } from './non-circulating-keys.ts';

const LISTED: ReadonlySet<Address> = new Set(NON_CIRCULATING_ACCOUNTS);

/** The non-circulating part of the supply. */
interface NonCirculating {
  readonly lamports: bigint;
  /** First Agave's list, including accounts that do not exist here, as in Agave; then stake accounts. */
  readonly addresses: readonly Address[];
}

/**
 * Creates a test for non-circulating accounts at the ledger's current time (Agave
 * `calculate_non_circulating_supply`).
 */
export function nonCirculatingTest(ledger: AccountReads): (entry: KeyedAccount) => boolean {
  const now = decodeClockTime(ledger.getAccount(CLOCK_SYSVAR)) ?? { epoch: 0n, unixTimestamp: 0n };
  return (entry) => LISTED.has(entry[0]) || isStakeLocked(entry, now);
}

/**
 * Collects everything non-circulating. It is read from the ledger before the first step that yields to other
 * requests.
 */
export function* findNonCirculating(ledger: AccountReads): Steps<NonCirculating> {
  const isNonCirculating = nonCirculatingTest(ledger);
  const balances = NON_CIRCULATING_ACCOUNTS.map((address) => ledger.getAccount(address)?.lamports ?? 0n);
  const stakes = yield* takeSnapshot(ledger.programAccounts(STAKE_PROGRAM));
  const held = yield* keepInSteps(stakes, (entry) => !LISTED.has(entry[0]) && isNonCirculating(entry));
  for (const [, account] of held) balances.push(account.lamports);
  return {
    lamports: balances.reduce((sum, lamports) => sum + lamports, 0n),
    addresses: [...NON_CIRCULATING_ACCOUNTS, ...held.map(([address]) => address)],
  };
}

/** Whether a stake account is locked up, or its withdrawer is in the list. */
function isStakeLocked([, { owner, data }]: KeyedAccount, now: ClockTime): boolean {
  const meta = owner === STAKE_PROGRAM ? stakeMetaOf(data) : null;
  if (meta === null) return false;
  return isLockedUp(meta, now) || NON_CIRCULATING_WITHDRAWERS.has(meta.authorized.withdrawer);
}
