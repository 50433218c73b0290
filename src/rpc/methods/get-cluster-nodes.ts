import { defineMethod } from '../rpc-method.ts';

/**
 * `getClusterNodes()`: this node, the only one. It neither gossips nor exchanges shreds, so it has no addresses for
 * either, and it does not announce where its RPC can be reached.
 */
export const getClusterNodes = defineMethod('getClusterNodes', { required: [], optional: [] }, (node) => [
  {
    clientId: null,
    featureSet: node.featureSet,
    gossip: null,
    pubkey: node.ledger.identity,
    pubsub: null,
    rpc: null,
    serveRepair: null,
    shredVersion: null,
    tpu: null,
    tpuForwards: null,
    tpuForwardsQuic: null,
    tpuQuic: null,
    tpuVote: null,
    tvu: null,
    version: node.version,
  },
]);
