import type { AccountView } from '../../ledger/state/account-state.ts';
import { concat } from '../../programs/instruction-data.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { readOptionalSignature, readSignature, signatureField } from './fields.ts';
import { type ItemType, readItem } from './item.ts';

/** A request to undelegate an eATA. Until it is settled, the tokens of the eATA do not move on the rollup. */
export interface SettlementRequest {
  /** Its place in the order in which requests were accepted. */
  readonly sequence: bigint;
  readonly eata: Address;
  /** base58: the rollup transaction of the undelegation. */
  readonly undelegation: string;
  /** base58: the newest settlement transaction signed for it on base; null before the first. */
  readonly signature: string | null;
}

/** Fields: eATA 32, signature of the undelegation 64, signature on base 64 (zeros for none). */
export const REQUEST: ItemType<SettlementRequest> = {
  kind: 2,
  keyOf: ({ eata }) => addressBytes(eata),
  sequenceOf: ({ sequence }) => sequence,
  encode: ({ eata, undelegation, signature }) =>
    concat(addressBytes(eata), signatureField(undelegation), signatureField(signature)),
  decode: (reader, sequence) => ({
    sequence,
    eata: reader.address(),
    undelegation: readSignature(reader),
    signature: readOptionalSignature(reader),
  }),
};

/** The request for an eATA; null when nobody has asked for it back. */
export function requestOf(accounts: Pick<AccountView, 'get'>, eata: Address): SettlementRequest | null {
  return readItem(REQUEST, accounts, addressBytes(eata));
}
