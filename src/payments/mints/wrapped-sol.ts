import { NATIVE_MINT, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { transferLamports } from '../../programs/system.ts';
import { syncNative } from '../../programs/token/instructions.ts';
import type { Rent } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { RENT_PDA, rentPdaTarget } from '../fees/costs.ts';
import { formatBaseUnits } from './common-mints.ts';

const SOL_DECIMALS = 9;

/** Lamports needed to move native SOL through a shuttle. */
export interface WrapNeeds {
  /** Lamports that the owner must still wrap; 0 if enough are wrapped. */
  readonly wrapLamports: bigint;
  /** Lamports that the rent PDA lacks to reach its target; 0 if it lacks none. */
  readonly rentTopUpLamports: bigint;
}

/** No needs: the value for every mint except wrapped SOL. */
export const NO_WRAP: WrapNeeds = { wrapLamports: 0n, rentTopUpLamports: 0n };

export function findWrapNeeds(held: {
  readonly wanted: bigint;
  readonly wrapped: bigint;
  readonly rentPdaLamports: bigint;
  readonly rent: Rent;
}): WrapNeeds {
  return {
    wrapLamports: shortfall(held.wanted, held.wrapped),
    rentTopUpLamports: shortfall(rentPdaTarget(held.rent), held.rentPdaLamports),
  };
}

/**
 * Plans the instructions before a transfer of native SOL, in the hosted API's order: create the ATA, send it
 * the owner's lamports, sync them, and top up the rent PDA from the payer. Unneeded instructions are left
 * out.
 */
export function planWrap(
  needs: WrapNeeds,
  accounts: { readonly owner: Address; readonly payer: Address; readonly ata: Address },
): Instruction[] {
  const { owner, payer, ata } = accounts;
  const instructions: Instruction[] = [];
  if (needs.wrapLamports > 0n) {
    instructions.push(
      createAtaIdempotent({ payer, ata, owner, mint: NATIVE_MINT, tokenProgram: TOKEN_PROGRAM }),
      transferLamports(owner, ata, needs.wrapLamports),
      syncNative(TOKEN_PROGRAM, ata),
    );
  }
  if (needs.rentTopUpLamports > 0n) {
    instructions.push(transferLamports(payer, RENT_PDA, needs.rentTopUpLamports));
  }
  return instructions;
}

/** Describes {@link planWrap}. */
export function wrapNotes(needs: WrapNeeds): string[] {
  const notes: string[] = [];
  if (needs.wrapLamports > 0n)
    notes.push(`It first wraps ${formatSol(needs.wrapLamports)} SOL from the owner.`);
  if (needs.rentTopUpLamports > 0n) {
    notes.push(
      `It also transfers ${formatSol(needs.rentTopUpLamports)} SOL to the program's rent account ${RENT_PDA}, which pays for the shuttle.`,
    );
  }
  return notes;
}

const formatSol = (lamports: bigint): string => formatBaseUnits(lamports, SOL_DECIMALS);

function shortfall(wanted: bigint, held: bigint): bigint {
  return held < wanted ? wanted - held : 0n;
}
