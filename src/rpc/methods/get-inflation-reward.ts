import type { Commitment } from '../../solana/commitment.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { sequence, string, u64 } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { defineMethod } from '../rpc-method.ts';
import { readHead } from '../rpc-node.ts';
import { blockNotAvailable } from '../blocks/block-errors.ts';

/** Agave `RpcEpochConfig`. */
const epochConfig = struct<{
  readonly epoch: bigint | undefined;
  readonly commitment: Commitment | undefined;
  readonly minContextSlot: bigint | undefined;
}>(
  'RpcEpochConfig',
  { epoch: optional(u64), commitment: flattenedCommitment, minContextSlot: optional(u64) },
  { hasFlattened: true },
);

/**
 * `getInflationReward([addresses, config?])`: the reward of each address for an epoch, always null. An epoch
 * that is not over is refused (-32004), as its rewards would be paid in the next one.
 */
export const getInflationReward = defineMethod(
  'getInflationReward',
  { required: [sequence(string)], optional: [epochConfig] },
  (node, texts, config) => {
    const addresses = texts.map(verifyAddress);
    const { slot } = readHead(node, config);
    if (config?.epoch !== undefined) {
      const firstSlotAfter = (config.epoch + 1n) * BigInt(node.ledger.epochSlots);
      if (firstSlotAfter > BigInt(slot)) throw blockNotAvailable(firstSlotAfter);
    }
    return addresses.map(() => null);
  },
);
