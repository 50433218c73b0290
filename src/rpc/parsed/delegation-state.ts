import { DELEGATION_RECORD_BYTES } from '../../programs/delegation/record.ts';
import { decodeCommitRecord, decodeDelegationMetadata } from '../../programs/delegation/state.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';

/** The discriminator of a delegation record, its first u64 (delegation program `AccountDiscriminator`). */
const DELEGATION_RECORD = 100n;

/**
 * The delegation program's own accounts about a delegated account. Delegated accounts belong to that program
 * too, but their data is another program's and is not parsed.
 *
 * @throws {Unparsable}
 */
export function parseDelegationState({ data }: AccountBytes): JsonOutput {
  const metadata = decodeDelegationMetadata(data);
  if (metadata !== null) {
    const { commitNonce, rentPayer, seeds, undelegationRequester } = metadata;
    const shownSeeds = seeds.map((seed) => [new ByteReader(seed).base64(), 'base64']);
    return {
      info: { commitNonce, rentPayer, seeds: shownSeeds, undelegationRequester },
      type: 'delegationMetadata',
    };
  }
  const commit = decodeCommitRecord(data);
  if (commit !== null) {
    const { account, lamports, nonce, validator } = commit;
    return { info: { account, lamports, nonce, validator }, type: 'commitRecord' };
  }
  return parseDelegationRecord(data);
}

/**
 * `DelegationRecord`: discriminator, authority, owner, slot u64, lamports u64, commit frequency u64 in ms.
 */
function parseDelegationRecord(data: Uint8Array): JsonOutput {
  const reader = new ByteReader(data);
  if (data.length < DELEGATION_RECORD_BYTES || reader.u64() !== DELEGATION_RECORD) {
    throw new Unparsable('no delegation state');
  }
  const authority = reader.address();
  const owner = reader.address();
  const delegationSlot = reader.u64();
  const lamports = reader.u64();
  return {
    info: { authority, commitFrequencyMs: reader.u64(), delegationSlot, lamports, owner },
    type: 'delegationRecord',
  };
}
