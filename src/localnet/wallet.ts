import { Keypair } from '../ledger/keypair.ts';
import type { Random } from '../ports/random.ts';
import { addressBytes } from '../solana/address.ts';

/** A wallet of a localnet. Its key is worth nothing anywhere else, and must not be used there. */
export interface LocalnetWallet {
  /** base58. */
  readonly address: string;
  /**
   * 64 bytes: the ed25519 seed and the public key, as the Solana CLI keeps them.
   * `createKeyPairSignerFromBytes` of
   * @solana/kit and `Keypair.fromSecretKey` of @solana/web3.js take them.
   */
  readonly secretKey: Uint8Array;
  /** The 64 bytes of the ed25519 signature over `message`. */
  sign(message: Uint8Array): Uint8Array;
}

/** Draws a wallet. */
export function drawWallet(random: Random): LocalnetWallet {
  const seed = random.bytes(32);
  const keypair = new Keypair(seed);
  return {
    address: keypair.address,
    secretKey: Uint8Array.of(...seed, ...addressBytes(keypair.address)),
    sign: (message) => new Uint8Array(keypair.sign(message)),
  };
}
