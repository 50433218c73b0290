import { flattenedCommitment } from '../params/configs.ts';
import { bool } from '../params/primitives.ts';
import { struct, withDefault } from '../params/struct.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';
import { saidSupply } from './surfnet/set-supply.ts';

/** Agave `RpcSupplyConfig`. */
const supplyConfig = struct(
  'RpcSupplyConfig',
  { commitment: flattenedCommitment, excludeNonCirculatingAccountsList: withDefault(bool, false) },
  { hasFlattened: true },
);

/**
 * `getSupply([config?])`: the lamports of all accounts. Agave keeps a list of accounts of mainnet's that do not
 * circulate; this ledger has none of these, so that all of its lamports circulate; but for what `surfnet_setSupply` has it say.
 */
export const getSupply = defineMethod(
  'getSupply',
  { required: [], optional: [supplyConfig] },
  (node, config) => {
    const { slot } = readHead(node, undefined);
    const counted = node.ledger.totalLamports();
    const { total, circulating, nonCirculating, nonCirculatingAccounts = [] } = saidSupply(node);
    return inContext(node, slot, {
      circulating: circulating ?? counted,
      nonCirculating: nonCirculating ?? 0,
      nonCirculatingAccounts:
        config?.excludeNonCirculatingAccountsList === true ? [] : nonCirculatingAccounts,
      total: total ?? counted,
    });
  },
);
