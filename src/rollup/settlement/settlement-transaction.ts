import { type Keypair, signTransaction } from '../../ledger/keypair.ts';
import type { AccountView } from '../../ledger/state/accounts.ts';
import type { Random } from '../../ports/random.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import {
  deriveCommitRecord,
  deriveCommitState,
  deriveDelegationMetadata,
  deriveDelegationRecord,
  deriveFeesVault,
  deriveProgramConfig,
  deriveUndelegateBuffer,
  deriveValidatorFeesVault,
} from '../../programs/delegation/pdas.ts';
import { decodeDelegationMetadata, decodeDelegationRecord } from '../../programs/delegation/state.ts';
import { commitState, DELEGATION_TABLE, type SettlementAccounts } from '../../programs/delegation/table.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { addMemo } from '../../programs/memo.ts';
import type { Address } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import type { Transaction } from '../../solana/transaction.ts';

const PROGRAM_CONFIG = deriveProgramConfig(EPHEMERAL_TOKEN_PROGRAM).address;
const FEES_VAULT = deriveFeesVault().address;

/** Random bytes that make a transaction unique. */
const MARK_BYTES = 16;

/** A delegated account of the ephemeral token program, and its new state on base. */
export interface Commitment extends DelegationState {
  /** The account's new data. */
  readonly data: Uint8Array;
  /** Whether the account is also undelegated. */
  readonly isUndelegation: boolean;
}

export interface Signing {
  readonly validator: Keypair;
  /** Blockhash of base, base58. */
  readonly blockhash: string;
  /**
   * A unique text. Example: an eATA is undelegated, delegated again in the same slot with the same amount,
   * and undelegated again. Without the text both transactions would have the same bytes, and the second would
   * not land.
   */
  readonly mark: string;
}

/** Returns a new {@link Signing.mark}. */
export function markOf(random: Random): string {
  return Buffer.from(random.bytes(MARK_BYTES)).toString('hex');
}

/**
 * Signs a base transaction of the validator. It succeeds or fails as a whole.
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

/** Returns the instructions of a commitment: commit, finalize, and undelegate if requested. */
export function commitmentInstructions(commitment: Commitment, validator: Address): Instruction[] {
  const accounts = accountsOf(commitment, validator);
  const { nonce, lamports, isUndelegation, data } = commitment;
  return [
    commitState(
      { ...accounts, programConfig: PROGRAM_CONFIG },
      { nonce, lamports, allowUndelegation: isUndelegation, data },
    ),
    encode(DELEGATION_TABLE.finalizeCommit, accounts),
    ...(isUndelegation ? [undelegationOf(commitment, accounts)] : []),
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

function undelegationOf({ rentPayer }: Commitment, accounts: SettlementAccounts): Instruction {
  return encode(DELEGATION_TABLE.undelegate, {
    ...accounts,
    ownerProgram: EPHEMERAL_TOKEN_PROGRAM,
    undelegateBuffer: deriveUndelegateBuffer(accounts.account).address,
    rentPayer,
    feesVault: FEES_VAULT,
  });
}

/** The state of a delegation on base that a commit depends on. */
interface DelegationState {
  readonly account: Address;
  readonly record: Address;
  readonly metadata: Address;
  /** Lamports of the account when it was delegated, from the delegation record. */
  readonly lamports: bigint;
  /** The nonce of the next commit. */
  readonly nonce: bigint;
  /** The account that receives the rent of the closed delegation accounts. */
  readonly rentPayer: Address;
}

/** Reads the state of a delegation; null if there is none or its record or metadata cannot be decoded. */
export function readDelegationState(
  account: Address,
  base: Pick<AccountView, 'get'>,
): DelegationState | null {
  const metadataAddress = deriveDelegationMetadata(account).address;
  const metadata = decodeDelegationMetadata(base.get(metadataAddress)?.data ?? new Uint8Array(0));
  const recordAddress = deriveDelegationRecord(account).address;
  const record = decodeDelegationRecord(base.get(recordAddress) ?? null);
  if (metadata === null || record === null) return null;
  return {
    account,
    record: recordAddress,
    metadata: metadataAddress,
    lamports: record.lamports,
    nonce: metadata.commitNonce + 1n,
    rentPayer: metadata.rentPayer,
  };
}
