import { findNonCirculating } from '../accounts/non-circulating.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { bool } from '../params/primitives.ts';
import { struct, withDefault } from '../params/struct.ts';
import { defineScan } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';

/** Agave `RpcSupplyConfig`. */
const supplyConfig = struct(
  'RpcSupplyConfig',
  { commitment: flattenedCommitment, excludeNonCirculatingAccountsList: withDefault(bool, false) },
  { hasFlattened: true },
);

/**
 * `getSupply([config?])`: the lamports of all accounts, and which of them do not circulate. Agave names the accounts in
 * any order; here they come in that of its list.
 */
export const getSupply = defineScan(
  'getSupply',
  { required: [], optional: [supplyConfig] },
  function* (node, config) {
    const { slot } = readHead(node, undefined);
    const total = node.ledger.totalLamports();
    const { lamports, addresses } = yield* findNonCirculating(node.ledger);
    return inContext(node, slot, {
      circulating: total - lamports,
      nonCirculating: lamports,
      nonCirculatingAccounts: config?.excludeNonCirculatingAccountsList === true ? [] : [...addresses],
      total,
    });
  },
);
