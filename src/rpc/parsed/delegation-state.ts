import { decodeRecordData } from '../../programs/delegation/record.ts';
import { decodeCommitRecord, decodeDelegationMetadata } from '../../programs/delegation/state.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';

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
  const record = decodeRecordData(data);
  if (record === null) throw new Unparsable('no delegation state');
  const { authority, commitFrequencyMs, delegationSlot, lamports, owner } = record;
  return {
    info: { authority, commitFrequencyMs, delegationSlot, lamports, owner },
    type: 'delegationRecord',
  };
}
