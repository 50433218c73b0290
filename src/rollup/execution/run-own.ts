import { isServiceError } from '../../errors/service-error.ts';
import type { EmbeddedLedger, Performed } from '../../ledger/embedded-ledger.ts';
import { type Keypair, signTransaction } from '../../ledger/keypair.ts';
import { TransactionRejected } from '../../ledger/ledger.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import type { Random } from '../../ports/random.ts';
import { noop } from '../../programs/magic/table.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { viewOf } from '../../solana/view-of.ts';
import { baseGenesisHashOf } from '../books/header.ts';
import type { Entry } from '../books/item.ts';

/** What a transaction of the rollup itself comes with, in the same commit. */
interface OwnEntries {
  /** Accounts that are in place before it runs. */
  readonly first?: readonly Entry[];
  /** Accounts that change with it. */
  readonly also?: readonly Entry[];
  /** Lines at the end of its logs. */
  readonly logs?: readonly string[];
}

/** What came of a transaction of the rollup itself. If it failed nothing has changed. */
interface OwnRun {
  readonly err: TransactionError | null;
  readonly logs: readonly string[];
  /** base58; empty when there was no transaction to sign. */
  readonly signature: string;
}

/** What an {@link OwnRunner} needs. */
interface OwnRunnerParts {
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'perform'>;
  readonly validator: Keypair;
  readonly random: Random;
}

/**
 * Runs what the rollup itself has to run: actions behind a delegation, tasks, callbacks. It is the
 * validator's to say who signs what; whoever asks for a run answers for its signers.
 */
export class OwnRunner {
  readonly #parts: OwnRunnerParts;

  constructor(parts: OwnRunnerParts) {
    this.#parts = parts;
  }

  /**
   * As {@link run}, at once: the accounts have changed when this returns.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  start(
    instructions: readonly Instruction[],
    { first = [], also = [], logs = [] }: OwnEntries = {},
  ): Performed {
    const { ledger, validator, random } = this.#parts;
    try {
      const baseGenesisHash = baseGenesisHashOf(ledger.state());
      const mark = viewOf(random.bytes(8)).getBigUint64(0, true);
      const transaction = ownTransaction(instructions, { validator, baseGenesisHash, mark });
      return ledger.perform(transaction, { first, also, logs });
    } catch (error) {
      const err = reasonOf(error);
      if (err === null) throw error;
      return { err, logs: [], signature: '', written: Promise.resolve() };
    }
  }

  /**
   * Runs instructions as a transaction of the rollup itself, once; resolves when it is durable.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  async run(instructions: readonly Instruction[], entries: OwnEntries = {}): Promise<OwnRun> {
    const { err, logs, signature, written } = this.start(instructions, entries);
    await written;
    return { err, logs, signature };
  }
}

/** Why there is no transaction to run at all; null for what is not the instructions' fault. */
function reasonOf(error: unknown): TransactionError | null {
  if (error instanceof TransactionRejected) return error.reason;
  return isServiceError(error, 'TRANSACTION_TOO_LARGE') ? 'SanitizeFailure' : null;
}

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
