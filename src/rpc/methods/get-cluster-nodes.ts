import { defineMethod } from '../rpc-method.ts';
import { shredVersion } from '../cluster/shred-version.ts';

/**
 * `getClusterNodes()`: this node, the only one, with the addresses it knows it listens on. It neither gossips
 * nor exchanges shreds, so it has no addresses for these.
 */
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
