import { defineMethod } from '../rpc-method.ts';

/** `getGenesisHash()`: the hash by which clients tell clusters apart. */
export const getGenesisHash = defineMethod(
  'getGenesisHash',
  { required: [], optional: [] },
  (node) => node.ledger.genesisHash,
);
