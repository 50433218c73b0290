import { signTransaction, type Keypair } from '../../ledger/keypair.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import {
  commitState,
  finalizeCommit,
  undelegate,
  type SettlementAccounts,
} from '../../programs/delegation/instructions-settlement.ts';
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
import type { Step } from './batch.ts';

const PROGRAM_CONFIG = deriveProgramConfig(EPHEMERAL_TOKEN_PROGRAM).address;
const FEES_VAULT = deriveFeesVault().address;

/** What a step is signed with. */
interface Signing {
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

/**
 * The signed base transaction of a step: commit, finalize, and undelegate if that was requested. It succeeds
 * or fails as a whole.
 */
export function signStep(step: Step, { validator, blockhash, mark }: Signing): Transaction {
  const accounts = accountsOf(step, validator.address);
  const message = compileLegacyMessage({
    feePayer: validator.address,
    blockhash: decodeBase58(blockhash),
    instructions: [
      commitState(
        { ...accounts, programConfig: PROGRAM_CONFIG },
        {
          nonce: step.nonce,
          lamports: step.lamports,
          allowUndelegation: step.isUndelegation,
          data: step.data,
        },
      ),
      finalizeCommit(accounts),
      ...(step.isUndelegation ? [giveBack(step, accounts)] : []),
      addMemo(mark),
    ],
  });
  return signTransaction(message, [validator]);
}

function accountsOf(
  { projection: { eata, record }, metadata }: Step,
  validator: Address,
): SettlementAccounts {
  return {
    validator,
    account: eata,
    commitState: deriveCommitState(eata).address,
    commitRecord: deriveCommitRecord(eata).address,
    record,
    metadata,
    validatorFeesVault: deriveValidatorFeesVault(validator).address,
  };
}

function giveBack({ rentPayer }: Step, accounts: SettlementAccounts): Instruction {
  return undelegate({
    ...accounts,
    ownerProgram: EPHEMERAL_TOKEN_PROGRAM,
    undelegateBuffer: deriveUndelegateBuffer(accounts.account).address,
    rentPayer,
    feesVault: FEES_VAULT,
  });
}
