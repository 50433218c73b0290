import { addressBytes, isAddress } from '../../../solana/address.ts';
import { isOnCurve } from '../../../solana/curve.ts';

/**
 * What to say of a payee for whose address there can be no key: a program's account, which a queue pays, or a
 * token account, which it cannot pay. Which of them is not looked up, so that the RPC of base does not learn
 * who is paid. Null for wallets and handles.
 *
 * @param to as the request has it.
 */
export function keylessPayee(to: string): string | null {
  if (!isAddress(to) || isOnCurve(addressBytes(to))) return null;
  return `${to} is no wallet's address: no key signs for it. If it is a token account, its owner gets nothing, and what the payment costs is lost: pay the owner instead. Only a program's own account, as that of a multisig, can be paid there.`;
}
