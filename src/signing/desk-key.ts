import { Keypair } from '../ledger/keypair.ts';
import type { DeskKey } from '../payments/swap/desk.ts';
import type { Random } from '../ports/random.ts';
import { SIGNATURE_BYTES } from '../solana/signature.ts';
import { decodeTransaction, messageOf } from '../solana/transaction.ts';

/**
 * Creates the key of the desk that swaps on an embedded ledger. It is never stored, and owns only what the
 * faucet and the swaps of that ledger gave it.
 */
export function createDeskKey(random: Random): DeskKey {
  const keypair = new Keypair(random.bytes(32));
  return {
    address: keypair.address,
    cosign(wire) {
      const transaction = decodeTransaction(wire);
      const place = transaction.staticKeys.indexOf(keypair.address);
      const signed = Uint8Array.from(wire);
      const signature = keypair.sign(messageOf(transaction));
      signed.set(signature, transaction.signaturesAt + SIGNATURE_BYTES * place);
      return signed;
    },
  };
}
