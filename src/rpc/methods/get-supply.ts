import { flattenedCommitment } from '../params/configs.ts';
import { bool } from '../params/primitives.ts';
import { struct, withDefault } from '../params/struct.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';

/** Agave `RpcSupplyConfig`. */
const supplyConfig = struct(
  'RpcSupplyConfig',
  { commitment: flattenedCommitment, excludeNonCirculatingAccountsList: withDefault(bool, false) },
  { hasFlattened: true },
);

/**
 * `getSupply([config?])`: the lamports of all accounts. Agave keeps a list of accounts of mainnet's that do not
 * circulate; this ledger has none of these, so that all of its lamports circulate.
 */
export const getSupply = defineMethod('getSupply', { required: [], optional: [supplyConfig] }, (node) => {
  const { slot } = readHead(node, undefined);
  const total = node.ledger.totalLamports();
  return inContext(node, slot, {
    circulating: total,
    nonCirculating: 0,
    nonCirculatingAccounts: [],
    total,
  });
});
