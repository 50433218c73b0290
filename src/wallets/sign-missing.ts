import { readSignatures } from '../payments/explain/call.ts';
import type { Address } from '../solana/address.ts';
import { SIGNATURE_BYTES } from '../solana/signature.ts';
import { messageOf, type Transaction } from '../solana/transaction.ts';

/** Adds missing signatures with the keys that `find` returns. Returns signers without a key as `missing`. */
export function signMissing(
  transaction: Transaction,
  find: (address: Address) => { sign(message: Uint8Array): Uint8Array } | undefined,
): { readonly wire: Uint8Array; readonly missing: readonly Address[] } {
  const wire = Uint8Array.from(transaction.wire);
  const message = messageOf(transaction);
  const missing: Address[] = [];
  for (const [place, { address, signature }] of readSignatures(transaction).entries()) {
    if (signature === 'valid') continue;
    const signed = find(address)?.sign(message);
    if (signed === undefined) missing.push(address);
    else wire.set(signed, transaction.signaturesAt + place * SIGNATURE_BYTES);
  }
  return { wire, missing };
}
