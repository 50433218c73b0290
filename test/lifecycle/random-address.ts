import { systemRandom } from '../../src/ports/random.ts';
import { addressOf } from '../../src/solana/address.ts';

/** Returns a new random address. */
export const randomAddress = (): string => addressOf(systemRandom.bytes(32));
