import type { BlockReads } from '../../ledger/ledger.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { invalidParams } from '../errors.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { string, u64 } from '../params/primitives.ts';
import { optional, required, struct } from '../params/struct.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext } from '../rpc-node.ts';

/** How many slots back blocks are counted (`SlotHistory` `MAX_ENTRIES`). */
const HISTORY_SLOTS = 1_048_576;

/** Agave `RpcBlockProductionConfigRange`. */
interface SlotRange {
  readonly firstSlot: bigint;
  readonly lastSlot: bigint | undefined;
}

/** Agave `RpcBlockProductionConfig`. */
const blockProductionConfig = struct<{
  readonly identity: string | undefined;
  readonly range: SlotRange | undefined;
  readonly commitment: Commitment | undefined;
}>(
  'RpcBlockProductionConfig',
  {
    identity: optional(string),
    range: optional(
      struct<SlotRange>('RpcBlockProductionConfigRange', {
        firstSlot: required(u64),
        lastSlot: optional(u64),
      }),
    ),
    commitment: flattenedCommitment,
  },
  { hasFlattened: true },
);

/**
 * `getBlockProduction([config]?)`: the slots each node led and the blocks it produced, in this epoch or in
 * the given range. This node leads all slots; those skipped by time travel have no block.
 */
export const getBlockProduction = defineMethod(
  'getBlockProduction',
  { required: [], optional: [blockProductionConfig] },
  (node, config) => {
    const { ledger } = node;
    const isOfThisNode = config?.identity === undefined || verifyAddress(config.identity) === ledger.identity;
    const headSlot = ledger.head().slot;
    const { firstSlot, lastSlot } = readRange(ledger, headSlot, config?.range);
    const slotCount = lastSlot - firstSlot + 1;
    const production = (): readonly number[] => [slotCount, ledger.countBlocks(firstSlot, lastSlot)];
    return inContext(node, headSlot, {
      byIdentity: isOfThisNode ? { [ledger.identity]: production() } : {},
      range: { firstSlot, lastSlot },
    });
  },
);

function readRange(
  { epochSlots }: BlockReads,
  headSlot: number,
  range: SlotRange | undefined,
): { readonly firstSlot: number; readonly lastSlot: number } {
  const oldest = Math.max(0, headSlot + 1 - HISTORY_SLOTS);
  if (range === undefined) {
    return { firstSlot: Math.max(oldest, headSlot - (headSlot % epochSlots)), lastSlot: headSlot };
  }
  const { firstSlot, lastSlot = BigInt(headSlot) } = range;
  if (lastSlot < firstSlot) {
    throw invalidParams(`lastSlot, ${lastSlot}, cannot be less than firstSlot, ${firstSlot}`);
  }
  if (firstSlot < oldest) {
    throw invalidParams(`firstSlot, ${firstSlot}, is too small; min ${oldest}`);
  }
  if (lastSlot > headSlot) {
    throw invalidParams(`lastSlot, ${lastSlot}, is too large; max ${headSlot}`);
  }
  return { firstSlot: Number(firstSlot), lastSlot: Number(lastSlot) };
}
