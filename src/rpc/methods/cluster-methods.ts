import { Float64, type JsonOutputObject } from '../../json/write-json.ts';
import type { BlockPlace, LedgerReads } from '../../ledger/ledger.ts';
import { VOTE_PROGRAM } from '../../programs/addresses.ts';
import { tryParse } from '../../solana/byte-reader.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { blockNotAvailable, noSnapshot } from '../blocks/blocks.ts';
import { shredVersion } from '../cluster/node-version.ts';
import { activeStakes, epochOf } from '../cluster/stakes.ts';
import { nodeUnhealthy } from '../errors.ts';
import {
  bool,
  commitmentConfig,
  contextConfig,
  flattenedCommitment,
  optional,
  sequence,
  string,
  struct,
  u64,
  verifyAddress,
} from '../params/readers.ts';
import { readVoteState } from '../parsed/vote-state.ts';
import { defineMethod, readBlockAt, readHead, type RpcMethod, type RpcNode } from '../rpc-method.ts';

/** `getClusterNodes()`: this node and its addresses. It has no addresses for gossip and shreds. */
export const getClusterNodes = defineMethod('getClusterNodes', { required: [], optional: [] }, (node) => [
  {
    clientId: null,
    featureSet: node.featureSet,
    gossip: null,
    pubkey: node.ledger.identity,
    pubsub: node.addresses?.pubsub ?? null,
    rpc: node.addresses?.rpc ?? null,
    serveRepair: null,
    shredVersion: shredVersion(node.ledger.genesisHash),
    tpu: null,
    tpuForwards: null,
    tpuForwardsQuic: null,
    tpuQuic: null,
    tpuVote: null,
    tvu: null,
    version: node.version,
  },
]);

/** `getEpochInfo([config]?)`: the epoch of the slot that `getSlot` returns, and the slot's position in it. */
const getEpochInfo = defineMethod(
  'getEpochInfo',
  { required: [], optional: [contextConfig] },
  (node, config) => showEpochInfo(node, readBlockAt(node, config)),
);

/** Shows the position of a slot in its epoch (Agave `EpochInfo`). */
export function showEpochInfo({ ledger }: RpcNode, { slot, blockHeight }: BlockPlace): JsonOutputObject {
  return {
    absoluteSlot: slot,
    blockHeight,
    epoch: Math.floor(slot / ledger.epochSlots),
    slotIndex: slot % ledger.epochSlots,
    slotsInEpoch: ledger.epochSlots,
    transactionCount: ledger.transactionCount(),
  };
}

/** `getEpochSchedule()`: the values of the EpochSchedule sysvar. All epochs have the same length. */
const getEpochSchedule = defineMethod('getEpochSchedule', { required: [], optional: [] }, ({ ledger }) => ({
  firstNormalEpoch: 0,
  firstNormalSlot: 0,
  leaderScheduleSlotOffset: ledger.epochSlots,
  slotsPerEpoch: ledger.epochSlots,
  warmup: false,
}));

/** `getAgGenesisCert()`: null, as on all clusters without Alpenglow (Agave 4.3). */
const getAgGenesisCert = defineMethod('getAgGenesisCert', { required: [], optional: [] }, () => null);

/** `getGenesisHash()`: the hash that distinguishes clusters. */
const getGenesisHash = defineMethod(
  'getGenesisHash',
  { required: [], optional: [] },
  (node) => node.ledger.genesisHash,
);

/**
 * `getHealth()`: `ok`, because a single node cannot be behind. A stopped ledger answers like an Agave node
 * with unknown health (`RpcHealthStatus::Unknown`).
 */
const getHealth = defineMethod('getHealth', { required: [], optional: [] }, ({ ledger }) => {
  if (!ledger.isRunning) throw nodeUnhealthy();
  return 'ok';
});

/** `getHighestSnapshotSlot()`: always -32008, because this node creates no snapshots. */
const getHighestSnapshotSlot = defineMethod('getHighestSnapshotSlot', { required: [], optional: [] }, () => {
  throw noSnapshot();
});

/** `getIdentity()`: the identity address of the node. */
const getIdentity = defineMethod('getIdentity', { required: [], optional: [] }, (node) => ({
  identity: node.ledger.identity,
}));

/** Agave `Inflation::default`, which is also in the genesis of a test validator. */
const GOVERNOR = {
  foundation: new Float64(0.05),
  foundationTerm: new Float64(7),
  initial: new Float64(0.08),
  taper: new Float64(0.15),
  terminal: new Float64(0.015),
};

/** `getInflationGovernor([config]?)`: yearly shares of the supply. This ledger pays no rewards. */
const getInflationGovernor = defineMethod(
  'getInflationGovernor',
  { required: [], optional: [commitmentConfig] },
  () => GOVERNOR,
);

const ZERO = new Float64(0);

/** `getInflationRate()`: the inflation rate of this epoch, which is zero. */
const getInflationRate = defineMethod('getInflationRate', { required: [], optional: [] }, (node) => ({
  epoch: Math.floor(node.ledger.head().slot / node.ledger.epochSlots),
  foundation: ZERO,
  total: ZERO,
  validator: ZERO,
}));

/** Reads Agave's `RpcEpochConfig`. */
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
 * `getInflationReward([addresses, config?])`: the reward of each address for an epoch, always null. An
 * unfinished epoch is rejected (-32004), because its rewards would be paid in the next epoch.
 */
const getInflationReward = defineMethod(
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

/** `getVersion()`: the version and the feature set of the node. */
export const getVersion = defineMethod('getVersion', { required: [], optional: [] }, (node) => ({
  'feature-set': node.featureSet,
  'solana-core': node.version,
}));

/** Reads Agave's `RpcGetVoteAccountsConfig`. */
const voteAccountsConfig = struct<{
  readonly votePubkey: string | undefined;
  readonly commitment: Commitment | undefined;
  readonly keepUnstakedDelinquents: boolean | undefined;
  readonly delinquentSlotDistance: bigint | undefined;
}>(
  'RpcGetVoteAccountsConfig',
  {
    votePubkey: optional(string),
    commitment: flattenedCommitment,
    keepUnstakedDelinquents: optional(bool),
    delinquentSlotDistance: optional(u64),
  },
  { hasFlattened: true },
);

/** Slots without a vote that make a validator delinquent (Agave `DELINQUENT_VALIDATOR_SLOT_DISTANCE`). */
const DELINQUENT_SLOTS = 128n;

/** Number of epochs whose credits are listed (Agave `MAX_RPC_VOTE_ACCOUNT_INFO_EPOCH_CREDITS_HISTORY`). */
const CREDITS_SHOWN = 5;

/**
 * `getVoteAccounts([config]?)`: vote accounts with their active stake in this epoch. This node sends no vote
 * transactions. Its last vote and its root are the last finished slot.
 */
const getVoteAccounts = defineMethod(
  'getVoteAccounts',
  { required: [], optional: [voteAccountsConfig] },
  (node, config) => {
    const wanted = config?.votePubkey === undefined ? undefined : verifyAddress(config.votePubkey);
    const slot = BigInt(node.ledger.head().slot);
    const oldest = slot - (config?.delinquentSlotDistance ?? DELINQUENT_SLOTS);
    const infos = voteAccounts(node.ledger, epochOf(node.ledger, slot)).filter(
      ({ votePubkey }) => wanted === undefined || votePubkey === wanted,
    );
    const isCurrent = ({ lastVote }: VoteAccountInfo): boolean => lastVote > (oldest > 0n ? oldest : 0n);
    const isShown = ({ activatedStake }: VoteAccountInfo): boolean =>
      config?.keepUnstakedDelinquents === true || activatedStake > 0n;
    return {
      current: infos.filter(isCurrent),
      delinquent: infos.filter((info) => !isCurrent(info) && isShown(info)),
    };
  },
);

/** Agave's `RpcVoteAccountInfo`. */
type VoteAccountInfo = ReturnType<typeof voteAccounts>[number];

function voteAccounts(ledger: LedgerReads, epoch: bigint) {
  const stakes = activeStakes(ledger, epoch);
  const finished = BigInt(ledger.finishedHead().slot);
  return Array.from(ledger.programAccounts(VOTE_PROGRAM)).flatMap(([votePubkey, { data }]) => {
    const state = tryParse(() => readVoteState({ address: votePubkey, data }));
    if (state === undefined) return [];
    const isOurs = state.nodePubkey === ledger.identity;
    return [
      {
        activatedStake: stakes.get(votePubkey) ?? 0n,
        commission: state.commission,
        epochCredits: state.epochCredits
          .slice(-CREDITS_SHOWN)
          .map((entry) => [entry.epoch, BigInt(entry.credits), BigInt(entry.previousCredits)]),
        epochVoteAccount: stakes.has(votePubkey),
        lastVote: isOurs ? finished : (state.votes.at(-1)?.slot ?? 0n),
        nodePubkey: state.nodePubkey,
        rootSlot: isOurs ? finished : (state.rootSlot ?? 0n),
        votePubkey,
      },
    ];
  });
}

/** Methods about the node, its time and its cluster. */
export const CLUSTER_METHODS: readonly RpcMethod[] = [
  getClusterNodes,
  getEpochInfo,
  getEpochSchedule,
  getAgGenesisCert,
  getGenesisHash,
  getHealth,
  getHighestSnapshotSlot,
  getIdentity,
  getInflationGovernor,
  getInflationRate,
  getInflationReward,
  getVersion,
  getVoteAccounts,
];
