import { type Commitment, COMMITMENTS } from '../../solana/commitment.ts';
import { type Field, flattened, optional, required, struct, u64, variant } from './readers.ts';

/** Agave `CommitmentLevel`. */
export const commitmentLevel = variant(COMMITMENTS);

/** The commitment of a config with `CommitmentConfig` flattened into it. An invalid one counts as absent. */
export const flattenedCommitment: Field<Commitment | undefined> = flattened(commitmentLevel);

/** Agave `CommitmentConfig` as a parameter of its own: the commitment is required and must be valid. */
export const commitmentConfig = struct('CommitmentConfig', { commitment: required(commitmentLevel) });

/** The caller's requirements on the state an answer is read from. */
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
