import type { AccountView } from '../../ledger/state/account-state.ts';
import { concat } from '../../programs/instruction-data.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { bytesField, readBytes, readOptionalSignature, signatureField } from './fields.ts';
import { type ItemType, readItem } from './item.ts';

/**
 * A delegation whose actions on the rollup have failed for good: its tokens go back to where they came from.
 */
export interface Rescue {
  /** The delegated account, an eATA of a shuttle. */
  readonly account: Address;
  /** Why its actions failed. */
  readonly reason: string;
  /** base58: the newest base transaction signed for it; null before the first. */
  readonly signature: string | null;
}

/** Fields: account 32, signature on base 64 (zeros for none), reason. */
export const RESCUE: ItemType<Rescue> = {
  kind: 8,
  keyOf: ({ account }) => addressBytes(account),
  sequenceOf: () => 0n,
  encode: ({ account, reason, signature }) =>
    concat(addressBytes(account), signatureField(signature), bytesField(Buffer.from(reason, 'utf8'))),
  decode: (reader) => ({
    account: reader.address(),
    signature: readOptionalSignature(reader),
    reason: Buffer.from(readBytes(reader)).toString('utf8'),
  }),
};

/** The rescue of an account; null when it needs none. */
export function rescueOf(accounts: Pick<AccountView, 'get'>, account: Address): Rescue | null {
  return readItem(RESCUE, accounts, addressBytes(account));
}
