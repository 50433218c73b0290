import { systemRandom } from '../../src/ports/random.ts';
import { addressOf } from '../../src/solana/address.ts';

/** An address nobody used before. */
export const randomAddress = (): string => addressOf(systemRandom.bytes(32));
