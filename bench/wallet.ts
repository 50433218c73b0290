import { generateKeyPairSync } from 'node:crypto';
import { addressOf, type Address } from '../src/solana/address.ts';

/** The address of a wallet that nobody has seen before. */
export function newWallet(): Address {
  const { publicKey } = generateKeyPairSync('ed25519');
  return addressOf(new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)));
}
