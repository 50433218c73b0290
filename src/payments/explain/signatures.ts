import { type Address, addressBytes } from '../../solana/address.ts';
import { isStrictlySigned } from '../../solana/strict-signature.ts';
import { messageOf, type Transaction } from '../../solana/transaction.ts';

/**
 * The state of a signature. `wrong` means that it does not match the message and key, or that the network
 * rejects it in any case.
 */
type SignatureState = 'valid' | 'missing' | 'wrong';

/** A required signer, in the order of the signatures, and the state of its signature. */
export interface SignerState {
  readonly address: Address;
  readonly signature: SignatureState;
}

/** Verifies every signature of a sane transaction, as strictly as the network. */
export function readSignatures(transaction: Transaction): SignerState[] {
  const message = messageOf(transaction);
  return transaction.signatures.map((signature, index) => {
    const address = transaction.staticKeys[index] as Address;
    return { address, signature: stateOf(signature, address, message) };
  });
}

function stateOf(signature: Uint8Array, address: Address, message: Uint8Array): SignatureState {
  if (signature.every((byte) => byte === 0)) return 'missing';
  return isStrictlySigned(addressBytes(address), message, signature) ? 'valid' : 'wrong';
}
