import { createHmac } from 'node:crypto';

/**
 * 32 secret bytes, the same each time for the same `purpose`: what comes of a node's secret and that word.
 */
export function nodeSecret(identitySeed: Uint8Array, purpose: string): Uint8Array {
  return createHmac('sha256', identitySeed).update(purpose).digest();
}
