import type { Account } from '../../../solana/account.ts';
import { rentOf } from '../../../programs/rent.ts';
import type { Rent } from '../../../solana/rent.ts';
import { verifyAddress } from '../../params/keys.ts';
import { baseUnits, bool, string, u64 } from '../../params/primitives.ts';
import { optional, struct } from '../../params/struct.ts';
import { defineMethod } from '../../rpc-method.ts';
import { NOTHING } from './nothing.ts';
import { operatorOf } from './operator-of.ts';
import { putAccounts } from './put-accounts.ts';
import { readHex } from './read-hex.ts';

/** The fields of an account to change (Surfpool `AccountUpdate`). */
interface AccountUpdate {
  readonly lamports: bigint | undefined;
  readonly owner: string | undefined;
  readonly executable: boolean | undefined;
  readonly rentEpoch: bigint | undefined;
  /** Hex, with or without `0x`. */
  readonly data: string | undefined;
}

const accountUpdate = struct<AccountUpdate>('AccountUpdate', {
  lamports: optional(baseUnits),
  owner: optional(string),
  executable: optional(bool),
  rentEpoch: optional(u64),
  data: optional(string),
});

/**
 * `surfnet_setAccount([pubkey, { lamports?, owner?, executable?, rentEpoch?, data? }])`: changes or creates
 * an account; 0 lamports remove it. Without `lamports` the account is topped up to its rent-exempt minimum.
 */
export const surfnetSetAccount = defineMethod(
  'surfnet_setAccount',
  { required: [string, accountUpdate], optional: [] },
  (node, text, update) => {
    operatorOf(node);
    const address = verifyAddress(text);
    return putAccounts(node, () => {
      const before = node.ledger.getAccount(address) ?? NOTHING;
      return [[address, updated(before, update, rentOf(node.ledger))]];
    });
  },
);

function updated(before: Account, update: AccountUpdate, rent: Rent): Account {
  // A program account with 0 lamports would make the engine load code that is not there.
  if (update.lamports === 0n) return NOTHING;
  const data = update.data === undefined ? before.data : readHex(update.data);
  const minimum = rent.minimum(data.length);
  return {
    lamports: update.lamports ?? (before.lamports < minimum ? minimum : before.lamports),
    owner: update.owner === undefined ? before.owner : verifyAddress(update.owner),
    data,
    executable: update.executable ?? before.executable,
    rentEpoch: update.rentEpoch ?? before.rentEpoch,
  };
}
