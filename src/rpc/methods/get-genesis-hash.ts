import { defineMethod } from '../rpc-method.ts';

/** `getGenesisHash()`: by which clients tell clusters apart. */
export const getGenesisHash = defineMethod(
  'getGenesisHash',
  { required: [], optional: [] },
  (node) => node.ledger.genesisHash,
);
