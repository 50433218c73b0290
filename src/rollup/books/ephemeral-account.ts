import type { AccountView } from '../../ledger/state/account-state.ts';
import { concat, option } from '../../programs/instruction-data.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { type ItemType, readItem } from './item.ts';

/** An account that exists on the rollup only. */
export interface EphemeralAccount {
  readonly address: Address;
  /** Who has it made, and may have it closed. */
  readonly sponsor: Address;
  /** The program it belongs to. */
  readonly program: Address;
  /** The wallet it is about, which alone may read it; null when nobody may. */
  readonly reader: Address | null;
}

/** Fields: address 32, sponsor 32, program 32, reader as option 32. */
export const EPHEMERAL: ItemType<EphemeralAccount> = {
  kind: 7,
  keyOf: ({ address }) => addressBytes(address),
  sequenceOf: () => 0n,
  encode: ({ address, sponsor, program, reader }) =>
    concat(
      addressBytes(address),
      addressBytes(sponsor),
      addressBytes(program),
      option(reader && addressBytes(reader)),
    ),
  decode: (reader) => ({
    address: reader.address(),
    sponsor: reader.address(),
    program: reader.address(),
    reader: reader.option(() => reader.address()),
  }),
};

/** What is known of an ephemeral account; null when there is none at the address. */
export function ephemeralOf(accounts: Pick<AccountView, 'get'>, address: Address): EphemeralAccount | null {
  return readItem(EPHEMERAL, accounts, addressBytes(address));
}
