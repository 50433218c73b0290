import { COMMITMENTS, type Commitment } from '../../solana/commitment.ts';
import { u64 } from './primitives.ts';
import { flattened, optional, required, struct, type Field } from './struct.ts';
import { variant } from './variant.ts';

/** Agave `CommitmentLevel`. */
export const commitmentLevel = variant(COMMITMENTS);

/** The commitment of a config that has `CommitmentConfig` flattened into it: a bad one counts as none. */
export const flattenedCommitment: Field<Commitment | undefined> = flattened(commitmentLevel);

/**
 * Agave `CommitmentConfig`, where a method takes it by itself: the commitment must be there and must be one.
 */
export const commitmentConfig = struct('CommitmentConfig', { commitment: required(commitmentLevel) });

/** What a caller says about the state it wants to be answered from. */
export interface ContextConfig {
  readonly commitment: Commitment | undefined;
  readonly minContextSlot: bigint | undefined;
}

/** Agave `RpcContextConfig`. */
export const contextConfig = struct<ContextConfig>(
  'RpcContextConfig',
  { commitment: flattenedCommitment, minContextSlot: optional(u64) },
  { hasFlattened: true },
);
