import { DATA_BYTES_MAX } from '../assert-settable.ts';
import { LAMPORTS_MAX } from '../run/fee.ts';
import type { AccountRow } from './rows.ts';

/** Checks that one ledger can have the accounts of an export together. */
export class AccountsJudge {
  readonly #seen = new Set<string>();
  #lamports = 0n;

  /** Returns what is wrong with the next account; null if nothing is. */
  faultOf({ address, lamports, data }: AccountRow): string | null {
    if (this.#seen.has(address)) return `the account ${address} already stands before it`;
    this.#seen.add(address);
    this.#lamports += lamports;
    if (this.#lamports > LAMPORTS_MAX) return `with ${address} all lamports together are more than a u64`;
    return data.length > DATA_BYTES_MAX
      ? `data of ${address} has ${data.length} bytes, and an account at most ${DATA_BYTES_MAX}`
      : null;
  }
}
