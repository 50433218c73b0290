import { JsonText } from '../../json/write-json.ts';
import type { BlockReads } from '../../ledger/ledger.ts';
import type { Commitment } from '../../solana/commitment.ts';
import {
  blockOptions,
  BLOCKS_RANGE_MAX,
  encodingOrBlockConfig,
  findBlock,
  listSlots,
  showBlockInSteps,
} from '../blocks/blocks.ts';
import { SAMPLE_PERIOD_SECONDS, SAMPLES_MAX } from '../cluster/performance-samples.ts';
import { activeStakes, epochOf, hasLeaders } from '../cluster/stakes.ts';
import { invalidParams } from '../errors.ts';
import {
  contextConfig,
  type ContextConfig,
  flattenedCommitment,
  optional,
  required,
  string,
  struct,
  u64,
  untagged,
  usize,
  verifyAddress,
} from '../params/readers.ts';
import {
  defineMethod,
  defineScan,
  defineTupleMethod,
  inContext,
  readBlockAt,
  readHead,
  type RpcMethod,
  type RpcNode,
} from '../rpc-method.ts';
import { Scan } from '../scan/scan.ts';
import { refuseProcessed } from '../transactions/show-transaction.ts';

/** Number of polls per slot while waiting for a slot to end. */
const POLLS_PER_SLOT = 16;

/**
 * `getBlock([slot, config?])`: the block of a finished slot, with its transactions. For the current slot,
 * waits until the slot ends, for one slot at most. Transactions are `confirmed` as soon as they land, and
 * clients may request their block immediately.
 */
export const getBlock = defineMethod(
  'getBlock',
  { required: [u64], optional: [encodingOrBlockConfig] },
  (node, slot, config) => {
    refuseProcessed(config?.commitment);
    const show = (): Scan =>
      new Scan(() => showBlockInSteps(findBlock(node.ledger, slot), blockOptions(config)));
    const isCurrent = slot <= BigInt(node.ledger.head().slot) && isUnfinished(node, slot);
    return isCurrent ? endOfSlot(node, slot).then(show) : show();
  },
);

const isUnfinished = ({ ledger }: RpcNode, slot: bigint): boolean => slot > BigInt(ledger.finishedSlot());

/** Resolves when the slot has ended, or after the duration of one slot, because the clock may be paused. */
async function endOfSlot(node: RpcNode, slot: bigint): Promise<void> {
  const { timer, ledger } = node;
  if (timer === undefined) return;
  for (let polls = 0; polls <= POLLS_PER_SLOT && isUnfinished(node, slot); polls++) {
    await new Promise<void>((resolve) => timer.after(ledger.slotMs / POLLS_PER_SLOT, resolve));
  }
}

/** Reads Agave's `RpcBlocksConfigWrapper`: the last slot or the config. */
const lastSlotOrConfig = untagged<{ readonly lastSlot?: bigint; readonly config?: ContextConfig }>(
  'RpcBlocksConfigWrapper',
  [(value) => ({ lastSlot: u64(value) }), (value) => ({ config: contextConfig(value) })],
);

/** `getBlocks([first, last?, config?])`: the finished slots from `first` to `last` that have a block. */
export const getBlocks = defineScan(
  'getBlocks',
  { required: [u64], optional: [lastSlotOrConfig, contextConfig] },
  function* (node, first, wrapper, separateConfig) {
    const config = separateConfig ?? wrapper?.config;
    refuseProcessed(config?.commitment);
    readHead(node, config);
    const finished = BigInt(node.ledger.finishedSlot());
    const requested = wrapper?.lastSlot ?? first + BLOCKS_RANGE_MAX;
    const last = requested < finished ? requested : finished;
    if (last < first) return [];
    if (last - first > BLOCKS_RANGE_MAX) {
      throw invalidParams(`Slot range too large; max ${BLOCKS_RANGE_MAX}`);
    }
    return yield* listSlots(node.ledger, Number(first), Number(last), Number(last - first) + 1);
  },
);

/** `getBlocksWithLimit([first, limit, config?])`: up to `limit` finished slots with a block from `first`. */
export const getBlocksWithLimit = defineScan(
  'getBlocksWithLimit',
  { required: [u64, usize], optional: [contextConfig] },
  function* (node, first, limit, config) {
    refuseProcessed(config?.commitment);
    if (limit > BLOCKS_RANGE_MAX) throw invalidParams(`Limit too large; max ${BLOCKS_RANGE_MAX}`);
    readHead(node, config);
    const finished = node.ledger.finishedSlot();
    if (first > BigInt(finished)) return [];
    return yield* listSlots(node.ledger, Number(first), finished, Number(limit));
  },
);

/** `getBlockTime([slot])`: the start time of a block's slot, in Unix seconds. Accepts the current slot. */
const getBlockTime = defineTupleMethod(
  'getBlockTime',
  [u64],
  ({ ledger }, slot) => findBlock(ledger, slot, ledger.head().slot).blockTime,
);

/** `getBlockHeight([config]?)`: the number of blocks before the block of `getSlot`. */
const getBlockHeight = defineMethod(
  'getBlockHeight',
  { required: [], optional: [contextConfig] },
  (node, config) => readBlockAt(node, config).blockHeight,
);

/** `getBlockCommitment([slot])`: the total stake and no votes, as Agave shows a rooted block. */
const getBlockCommitment = defineTupleMethod('getBlockCommitment', [u64], ({ ledger }, _slot) => {
  const stakes = activeStakes(ledger, epochOf(ledger, BigInt(ledger.head().slot)));
  return { commitment: null, totalStake: [...stakes.values()].reduce((sum, stake) => sum + stake, 0n) };
});

/** Number of past slots whose blocks are counted (`SlotHistory` `MAX_ENTRIES`). */
const HISTORY_SLOTS = 1_048_576;

/** Agave's `RpcBlockProductionConfigRange`. */
interface SlotRange {
  readonly firstSlot: bigint;
  readonly lastSlot: bigint | undefined;
}

/** Reads Agave's `RpcBlockProductionConfig`. */
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
 * `getBlockProduction([config]?)`: the slots that each node led and the blocks that it produced, in this
 * epoch or the requested range. This node leads all slots. Slots skipped by time travel have no block.
 */
const getBlockProduction = defineMethod(
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

/** `getFirstAvailableBlock()`: the oldest slot whose block is still stored. */
const getFirstAvailableBlock = defineMethod(
  'getFirstAvailableBlock',
  { required: [], optional: [] },
  (node) => node.ledger.firstSlot(),
);

/** `minimumLedgerSlot()`: the oldest slot with data, which is the slot of the first stored block. */
const minimumLedgerSlot = defineMethod('minimumLedgerSlot', { required: [], optional: [] }, (node) =>
  node.ledger.firstSlot(),
);

/** `getSlot([config]?)`: the current slot at `processed`, the newest finished slot otherwise. */
const getSlot = defineMethod(
  'getSlot',
  { required: [], optional: [contextConfig] },
  (node, config) => readBlockAt(node, config).slot,
);

/** `getSlotLeader([config]?)`: the leader of the current slot, always this node. */
const getSlotLeader = defineMethod(
  'getSlotLeader',
  { required: [], optional: [contextConfig] },
  (node, config) => {
    readHead(node, config);
    return node.ledger.identity;
  },
);

/** Maximum number of slots per answer (Agave `MAX_GET_SLOT_LEADERS`). */
const SLOTS_MAX = 5_000;

/**
 * `getSlotLeaders([first, limit])`: the leaders of the slots from `first`, always this node.
 *
 * @throws {RpcError} -32602 for slots after the next epoch, whose leaders are not known yet.
 */
const getSlotLeaders = defineTupleMethod('getSlotLeaders', [u64, u64], (node, first, limit) => {
  if (limit > SLOTS_MAX) throw invalidParams(`Invalid limit; max ${SLOTS_MAX}`);
  if (limit > 0n) assertLeadersKnown(node.ledger, first, first + limit - 1n);
  return Array.from({ length: Number(limit) }, () => node.ledger.identity);
});

/** Rejects a range with unknown leaders. The error names the first such epoch, as in Agave. */
function assertLeadersKnown(ledger: BlockReads, first: bigint, last: bigint): void {
  const end = epochOf(ledger, last);
  for (let epoch = epochOf(ledger, first); epoch <= end; epoch++) {
    if (hasLeaders(ledger, epoch)) continue;
    throw invalidParams(`Invalid slot range: leader schedule for epoch ${epoch} is unavailable`);
  }
}

interface LeaderScheduleConfig {
  readonly identity: string | undefined;
  readonly commitment: Commitment | undefined;
}

/** Reads Agave's `RpcLeaderScheduleConfig`. */
const leaderScheduleConfig = struct<LeaderScheduleConfig>(
  'RpcLeaderScheduleConfig',
  { identity: optional(string), commitment: flattenedCommitment },
  { hasFlattened: true },
);

/** Reads Agave's `RpcLeaderScheduleConfigWrapper`: a slot of the requested epoch or the config. */
const slotOrConfig = untagged<{ readonly slot?: bigint; readonly config?: LeaderScheduleConfig }>(
  'RpcLeaderScheduleConfigWrapper',
  [(value) => ({ slot: u64(value) }), (value) => ({ config: leaderScheduleConfig(value) })],
);

/**
 * All slots of an epoch as JSON (up to 3 MB), by epoch length. The map has at most two entries, because a
 * process has at most two ledgers.
 */
const wholeEpochs = new Map<number, JsonText>();

/**
 * `getLeaderSchedule([slot?, config?])`: the slots that each node leads in an epoch, counted from its first
 * slot. This node leads all slots. Returns null for an epoch whose leaders are not known yet.
 */
const getLeaderSchedule = defineMethod(
  'getLeaderSchedule',
  { required: [], optional: [slotOrConfig, leaderScheduleConfig] },
  (node, wrapper, separateConfig) => {
    const { identity } = wrapper?.config ?? separateConfig ?? {};
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

/** `getTransactionCount([config]?)`: the number of landed transactions, including those no longer stored. */
const getTransactionCount = defineMethod(
  'getTransactionCount',
  { required: [], optional: [contextConfig] },
  (node, config) => {
    readHead(node, config);
    return node.ledger.transactionCount();
  },
);

/** `getRecentPerformanceSamples([limit]?)`: the activity per minute. This ledger has no votes. */
export const getRecentPerformanceSamples = defineMethod(
  'getRecentPerformanceSamples',
  { required: [], optional: [usize] },
  (node, limit = BigInt(SAMPLES_MAX)) => {
    if (limit > SAMPLES_MAX) throw invalidParams(`Invalid limit; max ${SAMPLES_MAX}`);
    const samples = node.performance?.samples(Number(limit)) ?? [];
    return samples.map(({ slot, slotCount, transactionCount }) => ({
      numNonVoteTransactions: transactionCount,
      numSlots: slotCount,
      numTransactions: transactionCount,
      samplePeriodSecs: SAMPLE_PERIOD_SECONDS,
      slot,
    }));
  },
);

/** `getMaxRetransmitSlot()`: the current slot, because a single node has no lag. */
const getMaxRetransmitSlot = defineMethod(
  'getMaxRetransmitSlot',
  { required: [], optional: [] },
  (node) => node.ledger.head().slot,
);

/** `getMaxShredInsertSlot()`: the current slot, because this node produces every block. */
const getMaxShredInsertSlot = defineMethod(
  'getMaxShredInsertSlot',
  { required: [], optional: [] },
  (node) => node.ledger.head().slot,
);

/** Methods about slots, blocks and their leaders. */
export const BLOCK_METHODS: readonly RpcMethod[] = [
  getBlock,
  getBlockCommitment,
  getBlockHeight,
  getBlockProduction,
  getBlockTime,
  getBlocks,
  getBlocksWithLimit,
  getFirstAvailableBlock,
  getLeaderSchedule,
  getMaxRetransmitSlot,
  getMaxShredInsertSlot,
  getRecentPerformanceSamples,
  getSlot,
  getSlotLeader,
  getSlotLeaders,
  getTransactionCount,
  minimumLedgerSlot,
];
