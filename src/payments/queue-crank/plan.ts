import { deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import { ensureTransferQueueCrank } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveTransferQueue } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';

/** The instruction for the rollup that makes the queue of a mint on a validator pay out. */
export function planQueueCrank(mint: Address, validator: Address, payer: Address): Instruction[] {
  return [
    ensureTransferQueueCrank({
      payer,
      queue: deriveTransferQueue(mint, validator).address,
      magicFeeVault: deriveMagicFeeVault(validator).address,
    }),
  ];
}
