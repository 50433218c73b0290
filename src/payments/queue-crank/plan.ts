import { deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import { ensureTransferQueueCrank } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveTransferQueue } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';

/** The one instruction, for the rollup, that makes sure the queue of a mint on a validator pays out. */
export function planQueueCrank(mint: Address, validator: Address, payer: Address): Instruction[] {
  return [
    ensureTransferQueueCrank({
      payer,
      queue: deriveTransferQueue(mint, validator).address,
      magicFeeVault: deriveMagicFeeVault(validator).address,
    }),
  ];
}
