import type { Block } from '../../ledger/block.ts';
import type { LedgerReads } from '../../ledger/ledger.ts';
import { blockCleanedUp, blockNotAvailable, slotSkipped } from './block-errors.ts';

/**
 * The block of a slot up to `last`, by default the newest finished and durable one: clients cache blocks, so
 * a block that is shown must not change any more.
 *
 * @throws {RpcError} -32004 for a slot above `last`, -32001 for a block no longer stored, -32007 for a
 *   skipped slot.
 */
export function findBlock(ledger: LedgerReads, slot: bigint, last = ledger.finishedSlot()): Block {
  if (slot > BigInt(last)) throw blockNotAvailable(slot);
  const block = ledger.block(Number(slot));
  if (block !== null) return block;
  const firstSlot = ledger.firstSlot();
  throw slot < BigInt(firstSlot) ? blockCleanedUp(slot, firstSlot) : slotSkipped(slot);
}
