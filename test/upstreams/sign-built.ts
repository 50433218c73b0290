import type { Keypair } from '../../src/ledger/keypair.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';

/** Adds the fee payer's signature to a built transaction, both in base64. */
export function signBuilt(transactionBase64: string, keypair: Keypair): string {
  const wire = new Uint8Array(Buffer.from(transactionBase64, 'base64'));
  const { messageAt, staticKeys } = decodeTransaction(wire);
  if (staticKeys[0] !== keypair.address) throw new Error(`${keypair.address} does not pay the fee`);
  wire.set(keypair.sign(wire.subarray(messageAt)), 1);
  return Buffer.from(wire).toString('base64');
}
