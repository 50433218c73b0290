import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { recoverShuttle } from '../../programs/ephemeral-token/layout-b/shuttle.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { fits } from '../building/fits.ts';
import type { RecoverableShuttle } from './judge.ts';

/** A shuttle that is to be recovered. */
export interface Recovery {
  readonly accounts: RecoverableShuttle;
  readonly createsOwnerAta: boolean;
}

/** What goes into one transaction. */
interface RecoveryPlan {
  readonly instructions: readonly Instruction[];
  readonly recoveries: readonly Recovery[];
}

/** Transactions that are built at once: all of them live as long as one blockhash. */
export const TRANSACTIONS_MAX = 4;

/**
 * As many transactions as it takes, up to {@link TRANSACTIONS_MAX}, each with as many of the shuttles as fit.
 */
export function planRecoveries(payer: Address, recoveries: readonly Recovery[]): RecoveryPlan[] {
  const plans: RecoveryPlan[] = [];
  let left = recoveries;
  while (left.length > 0 && plans.length < TRANSACTIONS_MAX) {
    let count = 1;
    while (count < left.length && fits(payer, recoveryInstructions(payer, left.slice(0, count + 1)))) count++;
    const taken = left.slice(0, count);
    plans.push({ instructions: recoveryInstructions(payer, taken), recoveries: taken });
    left = left.slice(count);
  }
  return plans;
}

/** For each shuttle the ATA of its owner, once where several need it, and what empties it into that. */
export function recoveryInstructions(payer: Address, recoveries: readonly Recovery[]): Instruction[] {
  const created = new Set<Address>();
  return recoveries.flatMap(({ accounts, createsOwnerAta }) => {
    const { owner, ownerAta, mint, tokenProgram, shuttle, eata, walletAta } = accounts;
    const recover = recoverShuttle({
      ...accounts,
      shuttle: { metadata: shuttle, eata, walletAta },
      destinationAta: ownerAta,
      vault: accounts.vault.address,
    });
    if (!createsOwnerAta || created.has(ownerAta)) return [recover];
    created.add(ownerAta);
    return [createAtaIdempotent({ payer, ata: ownerAta, owner, mint, tokenProgram }), recover];
  });
}
