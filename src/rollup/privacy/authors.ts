import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { SHUTTLE_TABLE } from '../../programs/ephemeral-token/table/shuttle.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';

/** Where the owner of the tokens stands that an instruction unloads or pays, by its tag. */
const OWNER_AT: ReadonlyMap<number, number> = new Map(
  [SHUTTLE_TABLE.mergeShuttle, QUEUE_TABLE.queueTransfer].map(({ tag, accounts }) => [
    tag,
    accounts.findIndex(({ role }) => role === 'owner'),
  ]),
);

/**
 * Whose a landed transaction is, whatever else it names: who signed it on the rollup, and in one of the
 * rollup itself the owners whose tokens it unloads and pays. The signatures of others are zeros in the
 * latter: they have signed on base without seeing what was sealed there, as a sponsor who pays the rents.
 */
export function authorsOf(transaction: Transaction): readonly Address[] {
  const { staticKeys, requiredSignatures, signatures } = transaction;
  const owners = ownersIn(transaction);
  return staticKeys
    .slice(0, requiredSignatures)
    .filter((_, index) => owners.has(index) || signatures[index]?.some((byte) => byte !== 0));
}

/** The indices of those whose tokens a transaction is to unload or to pay, whether they sign or not. */
function ownersIn({ instructions, staticKeys }: Transaction): ReadonlySet<number> {
  const owners = instructions.flatMap(({ programIdIndex, accounts, data }) => {
    if (staticKeys[programIdIndex] !== EPHEMERAL_TOKEN_PROGRAM) return [];
    const owner = accounts[OWNER_AT.get(data[0] ?? -1) ?? -1];
    return owner === undefined ? [] : [owner];
  });
  return new Set(owners);
}
