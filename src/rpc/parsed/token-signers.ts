import type { JsonOutputObject } from '../../json/json-value.ts';
import type { InstructionCall } from './instruction-call.ts';

/**
 * Who allows a token instruction: the account at `position`, by the name of `single`, or by that of
 * `multisig` when signers follow it. A multisig is only recognised by these.
 */
export function signers(
  call: InstructionCall,
  position: number,
  single: string,
  multisig = `multisig${single.charAt(0).toUpperCase()}${single.slice(1)}`,
): JsonOutputObject {
  return signersAmong(call.accounts, position, single, multisig);
}

/** As {@link signers}, where only a part of the accounts can be signers. */
export function signersAmong(
  accounts: InstructionCall['accounts'],
  position: number,
  single: string,
  multisig: string,
): JsonOutputObject {
  const followers = accounts.slice(position + 1);
  if (followers.length === 0) return { [single]: accounts[position] };
  return { [multisig]: accounts[position], signers: followers };
}
