import { addressOf } from '../../src/solana/address.ts';
import { systemRandom } from '../../src/ports/random.ts';

/** An address nobody used before. */
export const randomAddress = (): string => addressOf(systemRandom.bytes(32));
