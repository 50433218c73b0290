import type { Address } from '../solana/address.ts';
import { readonly, writable, writableSigner, type Instruction } from '../solana/instruction.ts';
import { findPda, type Pda } from '../solana/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from './addresses.ts';

/** The associated token account (ATA) of an owner: seeds owner, token program, mint. */
export function deriveAta(owner: Address, mint: Address, tokenProgram: Address): Pda {
  return findPda([owner, tokenProgram, mint], ASSOCIATED_TOKEN_PROGRAM);
}

/** `CreateIdempotent` (tag 1): makes the owner's ATA, or does nothing when it is there already. */
export function createAtaIdempotent(accounts: {
  payer: Address;
  ata: Address;
  owner: Address;
  mint: Address;
  tokenProgram: Address;
}): Instruction {
  return {
    programId: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      writableSigner(accounts.payer),
      writable(accounts.ata),
      readonly(accounts.owner),
      readonly(accounts.mint),
      readonly(SYSTEM_PROGRAM),
      readonly(accounts.tokenProgram),
    ],
    data: Uint8Array.of(1),
  };
}
