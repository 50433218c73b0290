import { u64 } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';
import type { RpcNode } from '../rpc-node.ts';
import { blockOptions, encodingOrBlockConfig } from '../blocks/block-options.ts';
import { refuseProcessed } from '../transactions/confirmed-only.ts';
import { findBlock } from '../blocks/find-block.ts';
import { showBlockInSteps } from '../blocks/show-block.ts';
import { Scan } from '../scan/scan.ts';

/** How often the end of a slot is looked for while it is waited for. */
const LOOKS_PER_SLOT = 16;

/**
 * `getBlock([slot, config?])`: the block of a finished slot, with its transactions. That of the slot under
 * way is waited for, one slot at most: a transaction is `confirmed` as soon as it has landed, and whoever
 * then asks for its block finds it.
 */
export const getBlock = defineMethod(
  'getBlock',
  { required: [u64], optional: [encodingOrBlockConfig] },
  (node, slot, config) => {
    refuseProcessed(config?.commitment);
    const show = (): Scan =>
      new Scan(() => showBlockInSteps(findBlock(node.ledger, slot), blockOptions(config)));
    const isUnderWay = slot <= BigInt(node.ledger.head().slot) && isToCome(node, slot);
    return isUnderWay ? endOfSlot(node, slot).then(show) : show();
  },
);

const isToCome = ({ ledger }: RpcNode, slot: bigint): boolean => slot > BigInt(ledger.finishedSlot());

/** Resolves when the slot is over, or when it should be: a clock that is paused has it last. */
async function endOfSlot(node: RpcNode, slot: bigint): Promise<void> {
  const { timer, ledger } = node;
  if (timer === undefined) return;
  for (let looks = 0; looks <= LOOKS_PER_SLOT && isToCome(node, slot); looks++) {
    await new Promise<void>((resolve) => timer.after(ledger.slotMs / LOOKS_PER_SLOT, resolve));
  }
}
