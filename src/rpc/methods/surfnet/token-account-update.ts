import { addressBytes } from '../../../solana/address.ts';
import { verifyAddress } from '../../params/keys.ts';
import { baseUnits, string } from '../../params/primitives.ts';
import { optional, struct } from '../../params/struct.ts';
import { variant } from '../../params/variant.ts';

/** The fields of a token account to change (Surfpool `TokenAccountUpdate`). */
export interface TokenAccountUpdate {
  /** Base units. */
  readonly amount: bigint | undefined;
  /** An address, or the text `null` for none. */
  readonly delegate: string | undefined;
  readonly state: TokenAccountState | undefined;
  /** Base units. */
  readonly delegatedAmount: bigint | undefined;
  /** An address, or the text `null` for none. */
  readonly closeAuthority: string | undefined;
}

/** SPL Token `AccountState`, in the order of its values. */
const STATES = ['uninitialized', 'initialized', 'frozen'] as const;
type TokenAccountState = (typeof STATES)[number];

export const tokenAccountUpdate = struct<TokenAccountUpdate>('TokenAccountUpdate', {
  amount: optional(baseUnits),
  delegate: optional(string),
  state: optional(variant(STATES)),
  delegatedAmount: optional(baseUnits),
  closeAuthority: optional(string),
});

/**
 * Offsets of the fields of SPL Token's `Account` that can be changed. Options are a u32 tag and the value.
 */
const AMOUNT_AT = 64;
const DELEGATE_AT = 72;
const STATE_AT = 108;
const DELEGATED_AMOUNT_AT = 121;
const CLOSE_AUTHORITY_AT = 129;

/**
 * The data of a token account after the update.
 *
 * @throws {RpcError} -32602 for an invalid address.
 */
export function updateTokenAccount(before: Uint8Array, update: TokenAccountUpdate): Uint8Array {
  const data = new Uint8Array(before);
  const view = new DataView(data.buffer);
  if (update.amount !== undefined) view.setBigUint64(AMOUNT_AT, update.amount, true);
  if (update.delegate !== undefined) writeOptionalAddress(data, DELEGATE_AT, update.delegate);
  if (update.state !== undefined) data[STATE_AT] = STATES.indexOf(update.state);
  if (update.delegatedAmount !== undefined) {
    view.setBigUint64(DELEGATED_AMOUNT_AT, update.delegatedAmount, true);
  }
  if (update.closeAuthority !== undefined) {
    writeOptionalAddress(data, CLOSE_AUTHORITY_AT, update.closeAuthority);
  }
  return data;
}

function writeOptionalAddress(data: Uint8Array, at: number, text: string): void {
  const address = text === 'null' ? null : verifyAddress(text);
  data.fill(0, at, at + 36);
  if (address === null) return;
  data[at] = 1;
  data.set(addressBytes(address), at + 4);
}
