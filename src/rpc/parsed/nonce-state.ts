import { encodeBase58 } from '../../solana/base58.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';

/** The versions of `solana-nonce`, legacy and current, with the same layout. */
const VERSION_MAX = 1;

const INITIALIZED = 1;

/**
 * Shows a durable nonce as Agave does (`parse_nonce`): version u32, state u32, authority, blockhash, fee u64.
 * An allocated account of zeros is not shown as an uninitialised nonce, as it may become anything.
 *
 * @throws {Unparsable}
 */
export function parseNonceState({ data }: AccountBytes): JsonOutput {
  const reader = new ByteReader(data);
  if (reader.u32() > VERSION_MAX || reader.u32() !== INITIALIZED) throw new Unparsable('no nonce');
  return {
    info: {
      authority: reader.address(),
      blockhash: encodeBase58(reader.take(32)),
      feeCalculator: { lamportsPerSignature: reader.u64().toString() },
    },
    type: 'initialized',
  };
}
