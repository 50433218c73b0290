import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../../src/programs/delegation/pdas.ts';
import {
  deriveEata,
  deriveRentPda,
  deriveShuttleMetadata,
  deriveTransferQueue,
  deriveVault,
} from '../../src/programs/ephemeral-token/pdas.ts';
import type { Address } from '../../src/solana/address.ts';

/**
 * Derives the accounts of instructions from the inputs of a vector, as MagicBlock's SDK does.
 */

export const ataOf = (owner: Address, mint: Address, tokenProgram: Address = TOKEN_PROGRAM): Address =>
  deriveAta(owner, mint, tokenProgram).address;

export const eataOf = (owner: Address, mint: Address): Address => deriveEata(owner, mint).address;

export const delegationOf = (account: Address, ownerProgram: Address = EPHEMERAL_TOKEN_PROGRAM) => ({
  buffer: deriveDelegateBuffer(account, ownerProgram).address,
  record: deriveDelegationRecord(account).address,
  metadata: deriveDelegationMetadata(account).address,
});

export function vaultOf(mint: Address, tokenProgram: Address = TOKEN_PROGRAM) {
  const vault = deriveVault(mint).address;
  return { vault, vaultEata: eataOf(vault, mint), vaultAta: ataOf(vault, mint, tokenProgram) };
}

export function shuttleOf(
  owner: Address,
  mint: Address,
  shuttleId: number,
  tokenProgram: Address = TOKEN_PROGRAM,
) {
  const metadata = deriveShuttleMetadata(owner, mint, shuttleId).address;
  return { metadata, eata: eataOf(metadata, mint), walletAta: ataOf(metadata, mint, tokenProgram) };
}

export function queueOf(mint: Address, validator: Address) {
  const queue = deriveTransferQueue(mint, validator).address;
  return { queue, queueEata: eataOf(queue, mint), queueAta: ataOf(queue, mint) };
}

/** Returns the accounts of instructions that move SPL Token tokens with a shuttle. */
export function shuttleTransferOf(transfer: {
  payer: Address;
  owner: Address;
  mint: Address;
  shuttleId: number;
}) {
  const { payer, owner, mint } = transfer;
  const shuttle = shuttleOf(owner, mint, transfer.shuttleId);
  return {
    payer,
    rentPda: deriveRentPda().address,
    shuttle,
    delegation: delegationOf(shuttle.eata),
    owner,
    ownerAta: ataOf(owner, mint),
    mint,
    tokenProgram: TOKEN_PROGRAM,
    ...vaultOf(mint),
  };
}
