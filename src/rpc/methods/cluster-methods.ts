import type { RpcMethod } from '../rpc-method.ts';
import { getBlockCommitment } from './get-block-commitment.ts';
import { getBlockHeight } from './get-block-height.ts';
import { getBlockProduction } from './get-block-production.ts';
import { getClusterNodes } from './get-cluster-nodes.ts';
import { getEpochInfo } from './get-epoch-info.ts';
import { getEpochSchedule } from './get-epoch-schedule.ts';
import { getAgGenesisCert } from './get-ag-genesis-cert.ts';
import { getGenesisHash } from './get-genesis-hash.ts';
import { getHealth } from './get-health.ts';
import { getHighestSnapshotSlot } from './get-highest-snapshot-slot.ts';
import { getIdentity } from './get-identity.ts';
import { getInflationGovernor } from './get-inflation-governor.ts';
import { getInflationRate } from './get-inflation-rate.ts';
import { getInflationReward } from './get-inflation-reward.ts';
import { getLeaderSchedule } from './get-leader-schedule.ts';
import { getMaxRetransmitSlot } from './get-max-retransmit-slot.ts';
import { getMaxShredInsertSlot } from './get-max-shred-insert-slot.ts';
import { getRecentPerformanceSamples } from './get-recent-performance-samples.ts';
import { getSlot } from './get-slot.ts';
import { getSlotLeader } from './get-slot-leader.ts';
import { getSlotLeaders } from './get-slot-leaders.ts';
import { getVersion } from './get-version.ts';
import { getVoteAccounts } from './get-vote-accounts.ts';

/** Methods about the node, its time and its cluster. */
export const CLUSTER_METHODS: readonly RpcMethod[] = [
  getBlockCommitment,
  getBlockHeight,
  getBlockProduction,
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
  getLeaderSchedule,
  getMaxRetransmitSlot,
  getMaxShredInsertSlot,
  getRecentPerformanceSamples,
  getSlot,
  getSlotLeader,
  getSlotLeaders,
  getVersion,
  getVoteAccounts,
];
