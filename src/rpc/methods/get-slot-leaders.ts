import type { BlockReads } from '../../ledger/ledger.ts';
import { invalidParams } from '../errors.ts';
import { u64 } from '../params/primitives.ts';
import { epochOf, hasLeaders } from '../cluster/leader-epochs.ts';
import { defineTupleMethod } from '../rpc-method.ts';

/** Most slots per answer (Agave `MAX_GET_SLOT_LEADERS`). */
const SLOTS_MAX = 5_000;

/**
 * `getSlotLeaders([first, limit])`: the leaders of the slots from `first` on, up to the end of the next
 * epoch; always this node.
 *
 * @throws {RpcError} -32602 for slots whose leaders are not known yet.
 */
export const getSlotLeaders = defineTupleMethod('getSlotLeaders', [u64, u64], (node, first, limit) => {
  if (limit > SLOTS_MAX) throw invalidParams(`Invalid limit; max ${SLOTS_MAX}`);
  if (limit > 0n) assertLeadersKnown(node.ledger, first, first + limit - 1n);
  return Array.from({ length: Number(limit) }, () => node.ledger.identity);
});

/** Agave reports the first epoch of the range whose leaders it does not know. */
function assertLeadersKnown(ledger: BlockReads, first: bigint, last: bigint): void {
  const end = epochOf(ledger, last);
  for (let epoch = epochOf(ledger, first); epoch <= end; epoch++) {
    if (hasLeaders(ledger, epoch)) continue;
    throw invalidParams(`Invalid slot range: leader schedule for epoch ${epoch} is unavailable`);
  }
}
