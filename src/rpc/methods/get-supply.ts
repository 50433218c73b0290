import { findNonCirculating } from '../accounts/non-circulating.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { bool } from '../params/primitives.ts';
import { struct, withDefault } from '../params/struct.ts';
import { defineScan } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';
import { saidSupply } from './surfnet/set-supply.ts';

/** Agave `RpcSupplyConfig`. */
const supplyConfig = struct(
  'RpcSupplyConfig',
  { commitment: flattenedCommitment, excludeNonCirculatingAccountsList: withDefault(bool, false) },
  { hasFlattened: true },
);

/**
 * `getSupply([config?])`: the lamports of all accounts, and the non-circulating accounts; `surfnet_setSupply`
 * can override it. Agave lists the accounts in arbitrary order; here they are in the order of its list.
 */
export const getSupply = defineScan(
  'getSupply',
  { required: [], optional: [supplyConfig] },
  function* (node, config) {
    const { slot } = readHead(node, undefined);
    const counted = node.ledger.totalLamports();
    const said = { ...saidSupply(node) };
    const { lamports, addresses } = yield* findNonCirculating(node.ledger);
    const isListed = config?.excludeNonCirculatingAccountsList !== true;
    return inContext(node, slot, {
      circulating: said.circulating ?? counted - lamports,
      nonCirculating: said.nonCirculating ?? lamports,
      nonCirculatingAccounts: isListed ? (said.nonCirculatingAccounts ?? addresses) : [],
      total: said.total ?? counted,
    });
  },
);
