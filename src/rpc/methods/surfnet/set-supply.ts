import { verifyAddress } from '../../params/keys.ts';
import { baseUnits, sequence, string } from '../../params/primitives.ts';
import { optional, struct } from '../../params/struct.ts';
import { defineMethod } from '../../rpc-method.ts';
import { inContext } from '../../rpc-node.ts';
import { keptBeside } from './kept-beside.ts';
import { operatorOf } from './operator-of.ts';

/** What is to be said of the supply (Surfpool `SupplyUpdate`, whose members have underscores). Lamports. */
interface SupplyUpdate {
  readonly total: bigint | undefined;
  readonly circulating: bigint | undefined;
  readonly non_circulating: bigint | undefined;
  readonly non_circulating_accounts: readonly string[] | undefined;
}

const supplyUpdate = struct<SupplyUpdate>('SupplyUpdate', {
  total: optional(baseUnits),
  circulating: optional(baseUnits),
  non_circulating: optional(baseUnits),
  non_circulating_accounts: optional(sequence(string)),
});

/** What getSupply says instead of what it counts; members that are not there are counted. Lamports. */
interface SaidSupply {
  total?: bigint;
  circulating?: bigint;
  nonCirculating?: bigint;
  nonCirculatingAccounts?: readonly string[];
}

/** What getSupply of a node is to say. */
export const saidSupply = keptBeside<SaidSupply>(() => ({}));

/**
 * `surfnet_setSupply([{ total?, circulating?, non_circulating?, non_circulating_accounts? }])`: has getSupply
 * say so, of what is given, until the network is reset or the node starts again. No account changes.
 */
export const surfnetSetSupply = defineMethod(
  'surfnet_setSupply',
  { required: [supplyUpdate], optional: [] },
  (node, update) => {
    operatorOf(node);
    const { total, circulating, non_circulating: nonCirculating } = update;
    const nonCirculatingAccounts = update.non_circulating_accounts?.map(verifyAddress);
    Object.assign(saidSupply(node), {
      ...(total !== undefined && { total }),
      ...(circulating !== undefined && { circulating }),
      ...(nonCirculating !== undefined && { nonCirculating }),
      ...(nonCirculatingAccounts !== undefined && { nonCirculatingAccounts }),
    } satisfies SaidSupply);
    return inContext(node, node.ledger.head().slot, null);
  },
);
