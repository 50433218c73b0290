import type { Block } from '../../ledger/block.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { blockCleanedUp, blockNotAvailable, slotSkipped } from './block-errors.ts';

/**
 * The block of a slot up to `last`, which is the last one that is over and durable unless another is given:
 * clients keep what they are told of a block, so it must not change any more.
 *
 * @throws {RpcError} -32004 for a slot above `last`, -32001 for a block that was forgotten, -32007 for a slot
 * that time went past without a block.
 */
export function findBlock(ledger: Ledger, slot: bigint, last = ledger.finishedSlot()): Block {
  if (slot > BigInt(last)) throw blockNotAvailable(slot);
  const block = ledger.block(Number(slot));
  if (block !== null) return block;
  const firstSlot = ledger.firstSlot();
  throw slot < BigInt(firstSlot) ? blockCleanedUp(slot, firstSlot) : slotSkipped(slot);
}
