import type { Address } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import { findPda, type Pda } from '../solana/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from './addresses.ts';
import { optional, readonly, writable, writableSigner } from './instruction-table/account-spec.ts';
import { type AccountsOf, encode } from './instruction-table/encode.ts';
import { instructionTable, type ProgramSpec } from './instruction-table/instruction-spec.ts';

/** Derives the associated token account (ATA) of an owner. Seeds owner, token program, mint. */
export function deriveAta(owner: Address, mint: Address, tokenProgram: Address): Pda {
  return findPda([owner, tokenProgram, mint], ASSOCIATED_TOKEN_PROGRAM);
}

/** The Associated Token Account program. A call with empty data is `Create`. */
export const ASSOCIATED_TOKEN: ProgramSpec = {
  address: ASSOCIATED_TOKEN_PROGRAM,
  name: 'associated token account program',
  tagBytes: 1,
  emptyTag: 0,
};

const created = [
  writableSigner('payer'),
  writable('ata'),
  readonly('owner'),
  readonly('mint'),
  readonly('systemProgram'),
  readonly('tokenProgram'),
  optional(readonly('rentSysvar')),
] as const;

const shownAs = { payer: 'source', ata: 'account', owner: 'wallet', rentSysvar: null } as const;

/** `AssociatedTokenAccountInstruction` of `spl-associated-token-account-interface`. */
export const ASSOCIATED_TOKEN_TABLE = instructionTable(ASSOCIATED_TOKEN, {
  create: { tag: 0, accounts: created, shownAs },
  createIdempotent: { tag: 1, accounts: created, shownAs },
});

/** Creates the owner's ATA; does nothing if it exists. */
export const createAtaIdempotent = (
  accounts: AccountsOf<typeof ASSOCIATED_TOKEN_TABLE.createIdempotent>,
): Instruction => encode(ASSOCIATED_TOKEN_TABLE.createIdempotent, accounts);
