import { ServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountView } from '../state/account-state.ts';
import type { AccountStates } from './account-states.ts';

/** Default limit of a ledger's total account data, bytes: 512 MiB. */
export const ACCOUNTS_BYTES_MAX = 512 * 1024 * 1024;

/** Most bytes one transaction can add (Agave `MAX_PERMITTED_ACCOUNTS_DATA_ALLOCATIONS_PER_TRANSACTION`). */
const ADDED_BYTES_MAX = 20 * 1024 * 1024;

/**
 * The limit of a ledger's total account data, all of which is in memory. Growth beyond it is refused; a
 * change that shrinks or keeps the total never is, even above the limit.
 */
export class DataCeiling {
  readonly bytesMax: number;
  readonly #accounts: Pick<AccountView, 'get' | 'dataBytes'>;

  constructor(accounts: Pick<AccountView, 'get' | 'dataBytes'>, bytesMax: number) {
    this.#accounts = accounts;
    this.bytesMax = bytesMax;
  }

  /** Whether a transaction that turns `before` into `after` exceeds the limit. Both are in key order. */
  isExceededBy(before: AccountStates, after: AccountStates): boolean {
    const room = this.bytesMax - this.#accounts.dataBytes;
    // Reading the result of a run copies it out of the engine, so it is avoided while there is plenty of
    // room.
    return room < ADDED_BYTES_MAX && isTooMuch(bytesOf(after) - bytesOf(before), room);
  }

  /**
   * Checks that there is room for accounts an operator sets. A later entry replaces an earlier one at the
   * same address.
   *
   * @throws {ServiceError} LEDGER_FULL naming the setting.
   */
  assertRoom(entries: readonly (readonly [Address, Account])[]): void {
    const states = [...new Map(entries)];
    const added =
      bytesOf(states.map(([, account]) => (account.lamports === 0n ? undefined : account))) -
      bytesOf(states.map(([address]) => this.#accounts.get(address)));
    const { dataBytes } = this.#accounts;
    if (isTooMuch(added, this.bytesMax - dataBytes)) throw ledgerFull(dataBytes + added, this.bytesMax);
  }
}

/** The error for account data that would come to `bytes`, above the limit. */
export function ledgerFull(bytes: number, bytesMax: number): ServiceError {
  return new ServiceError(
    'LEDGER_FULL',
    `The accounts of the ledger would have ${bytes} bytes of data, and may have ${bytesMax}: raise LEDGER_ACCOUNTS_BYTES_MAX, which takes as much more memory, or have fewer or smaller accounts`,
    { bytes, bytesMax },
  );
}

function isTooMuch(added: number, room: number): boolean {
  return added > 0 && added > room;
}

function bytesOf(accounts: AccountStates): number {
  return accounts.reduce((sum, account) => sum + (account?.data.length ?? 0), 0);
}
