import type { Block } from '../../ledger/block.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { blockCleanedUp, blockNotAvailable, slotSkipped } from './block-errors.ts';

/**
 * The block of a slot. That of the present slot is there as far as it has come: what has landed in it is final.
 *
 * @throws {RpcError} -32004 for a slot still to come, -32001 for a block that was forgotten, -32007 for a slot that time
 * went past without a block.
 */
export function findBlock(ledger: Ledger, slot: bigint): Block {
  const { slot: headSlot } = ledger.head();
  if (slot > BigInt(headSlot)) throw blockNotAvailable(slot);
  const block = ledger.block(Number(slot));
  if (block !== null) return block;
  const firstSlot = ledger.firstSlot();
  throw slot < BigInt(firstSlot) ? blockCleanedUp(slot, firstSlot) : slotSkipped(slot);
}
