import type { JsonOutputObject } from '../../json/json-value.ts';
import type { InstructionCall } from './instruction-call.ts';

/**
 * The authority of a token instruction: the account at `position`, named `single`, or `multisig` if signers
 * follow it, which is the only sign of a multisig.
 */
export function signers(
  call: InstructionCall,
  position: number,
  single: string,
  multisig = `multisig${single.charAt(0).toUpperCase()}${single.slice(1)}`,
): JsonOutputObject {
  return signersAmong(call.accounts, position, single, multisig);
}

/** As {@link signers}, if only some of the accounts can be signers. */
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
