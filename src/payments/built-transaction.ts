import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import type { Instruction } from '../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../solana/message.ts';

/** Something the caller should know before signing; the transaction is built all the same. */
export const warning = z.object({
  code: z.string().meta({ description: 'Stable name of the condition.' }),
  message: z.string().meta({ description: 'What is the matter and what to do about it.' }),
});

export type Warning = z.infer<typeof warning>;

/** The members every result with an unsigned transaction has, whatever was built. */
export const builtTransactionMembers = {
  version: z.enum(['legacy', 'v0']).meta({ description: 'Form of the transaction.' }),
  transactionBase64: z
    .string()
    .meta({ description: 'The unsigned transaction, base64; every signature in it is 64 zero bytes.' }),
  sendTo: z
    .enum(['base', 'ephemeral'])
    .meta({ description: 'Where the signed transaction must be sent: the base ledger or the rollup.' }),
  recentBlockhash: z.string().meta({ description: 'The blockhash it was built on, base58.' }),
  lastValidBlockHeight: z
    .int()
    .meta({ description: 'The last block height at which the network accepts the transaction.' }),
  instructionCount: z.int().meta({ description: 'Number of instructions in the transaction.' }),
  requiredSigners: z.array(z.string()).meta({
    description: 'Addresses that must sign, in the order of the signatures; the first pays the fee.',
  }),
};

/** Values of {@link builtTransactionMembers}. */
export interface BuiltTransaction {
  readonly version: 'legacy' | 'v0';
  readonly transactionBase64: string;
  readonly sendTo: 'base' | 'ephemeral';
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: number;
  readonly instructionCount: number;
  readonly requiredSigners: string[];
}

/**
 * Puts instructions into an unsigned legacy transaction on the chain's newest blockhash.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE above 1232 bytes.
 */
export async function buildTransaction(
  chain: Chain,
  feePayer: Address,
  instructions: readonly Instruction[],
): Promise<BuiltTransaction> {
  const { blockhash, lastValidBlockHeight } = await chain.latestBlockhash();
  const message = compileLegacyMessage({ feePayer, blockhash: decodeBase58(blockhash), instructions });
  const wire = encodeUnsignedTransaction(message);
  return {
    version: 'legacy',
    transactionBase64: Buffer.from(wire.buffer, wire.byteOffset, wire.length).toString('base64'),
    sendTo: 'base',
    recentBlockhash: blockhash,
    lastValidBlockHeight,
    instructionCount: instructions.length,
    requiredSigners: [...message.signers],
  };
}
