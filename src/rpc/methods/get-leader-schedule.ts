import type { BlockReads } from '../../ledger/ledger.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { JsonText } from '../../json/json-value.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { string, u64 } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { untagged } from '../params/untagged.ts';
import { defineMethod } from '../rpc-method.ts';
import { epochOf, hasLeaders } from '../cluster/leader-epochs.ts';

interface LeaderScheduleConfig {
  readonly identity: string | undefined;
  readonly commitment: Commitment | undefined;
}

/** Agave `RpcLeaderScheduleConfig`. */
const leaderScheduleConfig = struct<LeaderScheduleConfig>(
  'RpcLeaderScheduleConfig',
  { identity: optional(string), commitment: flattenedCommitment },
  { hasFlattened: true },
);

/** Agave `RpcLeaderScheduleConfigWrapper`: a slot of the requested epoch, or the config in its place. */
const slotOrConfig = untagged<{ readonly slot?: bigint; readonly config?: LeaderScheduleConfig }>(
  'RpcLeaderScheduleConfigWrapper',
  [(value) => ({ slot: u64(value) }), (value) => ({ config: leaderScheduleConfig(value) })],
);

/**
 * Every slot of an epoch as JSON, by epoch length, created on first use: up to 3 MB, and slow to write. A
 * process has at most two ledgers, and so two lengths.
 */
const wholeEpochs = new Map<number, JsonText>();

/**
 * `getLeaderSchedule([slot?, config?])`: the slots each node leads in an epoch, counted from its first slot.
 * This node leads all of them, any other identity none. Null for an epoch whose leaders are not known yet.
 */
export const getLeaderSchedule = defineMethod(
  'getLeaderSchedule',
  { required: [], optional: [slotOrConfig, leaderScheduleConfig] },
  (node, wrapper, givenConfig) => {
    const { identity } = wrapper?.config ?? givenConfig ?? {};
    const isOfThisNode = identity === undefined || verifyAddress(identity) === node.ledger.identity;
    if (wrapper?.slot !== undefined && !hasLeaders(node.ledger, epochOf(node.ledger, wrapper.slot)))
      return null;
    if (!isOfThisNode) return {};
    return { [node.ledger.identity]: wholeEpochOf(node.ledger) };
  },
);

function wholeEpochOf({ epochSlots }: BlockReads): JsonText {
  const known = wholeEpochs.get(epochSlots);
  if (known !== undefined) return known;
  const slots = new JsonText(JSON.stringify(Array.from({ length: epochSlots }, (_, index) => index)));
  wholeEpochs.set(epochSlots, slots);
  return slots;
}
