import { signTransaction, type Keypair } from '../../ledger/keypair.ts';
import { MAGIC_CONTEXT, MAGIC_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import { readonly, writable, writableSigner } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { SettlementRequest } from '../books/settlement-request.ts';

/** `MagicBlockInstruction::ScheduledCommitSent` (u32). The 64 bytes behind it are this project's own. */
const SCHEDULED_COMMIT_SENT = 4;

/**
 * The validator's transaction on the rollup that announces that an eATA is back on base. It depends on the
 * undelegation alone, so its signature is known before it lands. In place of a blockhash it has the genesis
 * hash of base, which the rollup never accepts: nobody who computes it can land it instead of the validator.
 */
export function signConfirmation(
  { eata, undelegation }: Pick<SettlementRequest, 'eata' | 'undelegation'>,
  { validator, baseGenesisHash }: { readonly validator: Keypair; readonly baseGenesisHash: string },
): Transaction {
  const data = Buffer.alloc(68);
  data.writeUInt32LE(SCHEDULED_COMMIT_SENT);
  data.set(decodeBase58(undelegation), 4);
  const accounts = [writableSigner(validator.address), writable(MAGIC_CONTEXT), readonly(eata)];
  const message = compileLegacyMessage({
    feePayer: validator.address,
    blockhash: decodeBase58(baseGenesisHash),
    instructions: [{ programId: MAGIC_PROGRAM, accounts, data }],
  });
  return signTransaction(message, [validator]);
}

/**
 * The log line of the undelegation, in the words of MagicBlock's validator: clients look for the signature
 * there.
 */
export function announceConfirmation(confirmation: Transaction): string {
  return `ScheduledCommitSent signature: ${encodeBase58(confirmation.signatures[0] as Uint8Array)}`;
}

/** Its own log line, in the same words. `signature` is that of the base transaction, base58. */
export function confirmationLogs(payer: Address, eata: Address, signature: string): string[] {
  return [
    `ScheduledCommitSent payer: ${payer}`,
    `ScheduledCommitSent included: [${eata}]`,
    'ScheduledCommitSent excluded: []',
    `ScheduledCommitSent signature[0]: ${signature}`,
    'ScheduledCommitSent requested undelegation',
  ];
}
