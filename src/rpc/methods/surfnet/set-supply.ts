import { verifyAddress } from '../../params/keys.ts';
import { baseUnits, sequence, string } from '../../params/primitives.ts';
import { optional, struct } from '../../params/struct.ts';
import { defineMethod } from '../../rpc-method.ts';
import { inContext } from '../../rpc-node.ts';
import { keptBeside } from './kept-beside.ts';
import { operatorOf } from './operator-of.ts';

/** The reported supply (Surfpool `SupplyUpdate`, whose members have underscores), lamports. */
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

/** Overrides of what getSupply counts, lamports; absent members are counted. */
interface SaidSupply {
  total?: bigint;
  circulating?: bigint;
  nonCirculating?: bigint;
  nonCirculatingAccounts?: readonly string[];
}

/** The overrides of a node's getSupply. */
export const saidSupply = keptBeside<SaidSupply>(() => ({}));

/**
 * `surfnet_setSupply([{ total?, circulating?, non_circulating?, non_circulating_accounts? }])`: makes
 * getSupply report these values until the network is reset or the node restarts. No account changes.
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
