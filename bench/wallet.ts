import { randomBytes, generateKeyPairSync } from 'node:crypto';
import { addressOf, type Address } from '../src/solana/address.ts';
import { isOnCurve } from '../src/solana/curve.ts';

/** The address of a wallet that nobody has seen before. */
export function newWallet(): Address {
  const { publicKey } = generateKeyPairSync('ed25519');
  return addressOf(new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)));
}

/** Addresses of many such wallets. A point of the curve is all that a builder asks of them. */
export function unseenWallets(count: number): Address[] {
  const wallets: Address[] = [];
  while (wallets.length < count) {
    const bytes = new Uint8Array(randomBytes(32));
    if (isOnCurve(bytes)) wallets.push(addressOf(bytes));
  }
  return wallets;
}
