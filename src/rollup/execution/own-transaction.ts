import { signTransaction, type Keypair } from '../../ledger/keypair.ts';
import { noop } from '../../programs/magic/instructions.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import type { Transaction } from '../../solana/transaction.ts';

/** What a transaction of the rollup itself is signed with. */
interface OwnSigning {
  readonly validator: Keypair;
  /** base58. */
  readonly baseGenesisHash: string;
  /** u64, another for each transaction: nothing else need be different in two of them. */
  readonly mark: bigint;
}

/**
 * A transaction of the rollup itself. The validator pays and signs; the places of other signers stay zero:
 * delegated accounts and wallets sign what they agreed to on base, and programs' addresses what their program
 * asked for. In place of a blockhash it has the genesis hash of base, which the rollup never accepts: nobody
 * who sees it can land it again, whatever they sign.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
export function ownTransaction(
  instructions: readonly Instruction[],
  { validator, baseGenesisHash, mark }: OwnSigning,
): Transaction {
  const message = compileLegacyMessage({
    feePayer: validator.address,
    blockhash: decodeBase58(baseGenesisHash),
    instructions: [noop(mark), ...instructions],
  });
  return signTransaction(message, [validator]);
}
