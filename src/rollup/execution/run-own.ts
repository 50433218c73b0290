import { isServiceError } from '../../errors/service-error.ts';
import type { Performed } from '../../ledger/embedded-ledger.ts';
import { type Keypair, signTransaction } from '../../ledger/keypair.ts';
import { TransactionRejected } from '../../ledger/ledger.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { noop } from '../../programs/magic/table.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { baseGenesisHashOf, type Entry } from '../books/item.ts';
import type { RollupContext } from '../rollup-context.ts';

interface OwnEntries {
  /** Accounts to set before the run. */
  readonly first?: readonly Entry[];
  /** Accounts to set after the run. */
  readonly also?: readonly Entry[];
}

type OwnRunnerParts = Pick<RollupContext, 'ledger' | 'validator' | 'random'>;

/**
 * Runs the rollup's own transactions: delegation actions, tasks and callbacks. The validator signs. The
 * caller is responsible for the other signers.
 */
export class OwnRunner {
  readonly #parts: OwnRunnerParts;

  constructor(parts: OwnRunnerParts) {
    this.#parts = parts;
  }

  /**
   * Runs instructions like {@link run}, but returns as soon as the accounts have changed.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  start(
    instructions: readonly Instruction[],
    { first = [], also = [] }: OwnEntries = {},
  ): Pick<Performed, 'err' | 'written'> {
    const { ledger, validator, random } = this.#parts;
    try {
      const baseGenesisHash = baseGenesisHashOf(ledger.state());
      const mark = viewOf(random.bytes(8)).getBigUint64(0, true);
      const transaction = ownTransaction(instructions, { validator, baseGenesisHash, mark });
      return ledger.perform(transaction, { first, also, logs: [] });
    } catch (error) {
      const err = reasonOf(error);
      if (err === null) throw error;
      return { err, written: Promise.resolve() };
    }
  }

  /**
   * Runs instructions as a transaction of the rollup. Resolves with null when the transaction is durable, or
   * with its error if it failed and changed nothing.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  async run(
    instructions: readonly Instruction[],
    entries: OwnEntries = {},
  ): Promise<TransactionError | null> {
    const { err, written } = this.start(instructions, entries);
    await written;
    return err;
  }
}

/** Returns the transaction error if the instructions caused the failure; null otherwise. */
function reasonOf(error: unknown): TransactionError | null {
  if (error instanceof TransactionRejected) return error.reason;
  return isServiceError(error, 'TRANSACTION_TOO_LARGE') ? 'SanitizeFailure' : null;
}

interface OwnSigning {
  readonly validator: Keypair;
  /** Genesis hash of the base ledger, base58. */
  readonly baseGenesisHash: string;
  /** A unique u64, because everything else in two transactions may be equal. */
  readonly mark: bigint;
}

/**
 * Builds a transaction of the rollup itself. The validator pays and signs. Other signatures stay zero,
 * because wallets and delegated accounts agreed on base, and program addresses act for their program. The
 * genesis hash of base replaces the blockhash. The rollup never accepts that hash, so no one can resubmit the
 * transaction.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
function ownTransaction(
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
