import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage, type CompiledMessage } from '../../solana/message.ts';
import { SIGNATURE_BYTES } from '../../solana/signature.ts';
import { TRANSACTION_BYTES_MAX } from '../../solana/transaction-size.ts';

/** Whether instructions go into one legacy transaction. */
export function fits(feePayer: Address, instructions: readonly Instruction[]): boolean {
  return isSmall(compileLegacyMessage({ feePayer, blockhash: new Uint8Array(32), instructions }));
}

/** Whether a legacy or v0 message and its signatures go into one transaction. */
export const isSmall = ({ bytes, signers }: CompiledMessage): boolean =>
  1 + SIGNATURE_BYTES * signers.length + bytes.length <= TRANSACTION_BYTES_MAX;
