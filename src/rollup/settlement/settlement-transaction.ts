import { type Keypair, signTransaction } from '../../ledger/keypair.ts';
import type { Random } from '../../ports/random.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import {
  commitState,
  finalizeCommit,
  type SettlementAccounts,
  undelegate,
} from '../../programs/delegation/instructions.ts';
import {
  deriveCommitRecord,
  deriveCommitState,
  deriveFeesVault,
  deriveProgramConfig,
  deriveUndelegateBuffer,
  deriveValidatorFeesVault,
} from '../../programs/delegation/pdas.ts';
import { addMemo } from '../../programs/memo.ts';
import type { Address } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { DelegationState } from './delegation-state.ts';

const PROGRAM_CONFIG = deriveProgramConfig(EPHEMERAL_TOKEN_PROGRAM).address;
const FEES_VAULT = deriveFeesVault().address;

/** Random bytes that make a transaction unique. */
const MARK_BYTES = 16;

/** A delegated account of the ephemeral token program, and what it is to be on base. */
export interface Commitment extends DelegationState {
  /** Its bytes on base afterwards. */
  readonly data: Uint8Array;
  /** Whether it is given back as well. */
  readonly isUndelegation: boolean;
}

/** What a transaction of the validator is signed with. */
export interface Signing {
  readonly validator: Keypair;
  /** base58, of base. */
  readonly blockhash: string;
  /**
   * A unique text. Crash case it prevents: an eATA is undelegated, delegated again in the same slot with the
   * same amount, and undelegated again. Without the text both transactions would be the same bytes, which
   * land only once.
   */
  readonly mark: string;
}

/** A {@link Signing.mark} that no transaction has had. */
export function markOf(random: Random): string {
  return Buffer.from(random.bytes(MARK_BYTES)).toString('hex');
}

/**
 * A signed base transaction of the validator. It succeeds or fails as a whole.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
export function signSettlement(
  instructions: readonly Instruction[],
  { validator, blockhash, mark }: Signing,
): Transaction {
  const message = compileLegacyMessage({
    feePayer: validator.address,
    blockhash: decodeBase58(blockhash),
    instructions: [...instructions, addMemo(mark)],
  });
  return signTransaction(message, [validator]);
}

/** Commit, finalize, and undelegate if that is wanted. */
export function commitmentInstructions(commitment: Commitment, validator: Address): Instruction[] {
  const accounts = accountsOf(commitment, validator);
  const { nonce, lamports, isUndelegation, data } = commitment;
  return [
    commitState(
      { ...accounts, programConfig: PROGRAM_CONFIG },
      { nonce, lamports, allowUndelegation: isUndelegation, data },
    ),
    finalizeCommit(accounts),
    ...(isUndelegation ? [giveBack(commitment, accounts)] : []),
  ];
}

function accountsOf({ account, record, metadata }: Commitment, validator: Address): SettlementAccounts {
  return {
    validator,
    account,
    commitState: deriveCommitState(account).address,
    commitRecord: deriveCommitRecord(account).address,
    record,
    metadata,
    validatorFeesVault: deriveValidatorFeesVault(validator).address,
  };
}

function giveBack({ rentPayer }: Commitment, accounts: SettlementAccounts): Instruction {
  return undelegate({
    ...accounts,
    ownerProgram: EPHEMERAL_TOKEN_PROGRAM,
    undelegateBuffer: deriveUndelegateBuffer(accounts.account).address,
    rentPayer,
    feesVault: FEES_VAULT,
  });
}
