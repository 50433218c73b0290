import type { RpcMethod } from '../rpc-method.ts';
import { getBlockHeight } from './get-block-height.ts';
import { getGenesisHash } from './get-genesis-hash.ts';
import { getHealth } from './get-health.ts';
import { getIdentity } from './get-identity.ts';
import { getSlot } from './get-slot.ts';
import { getVersion } from './get-version.ts';

/** Methods about the node, its time and its cluster. */
export const CLUSTER_METHODS: readonly RpcMethod[] = [
  getBlockHeight,
  getGenesisHash,
  getHealth,
  getIdentity,
  getSlot,
  getVersion,
];
