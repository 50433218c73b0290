import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { recoverShuttle } from '../../programs/ephemeral-token/layout-b/shuttle.ts';
import { ataBytes } from '../../programs/token/mint-extensions.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { Rent } from '../../solana/rent.ts';
import { fits } from '../building/built-transaction.ts';
import { sumLamports } from '../fees/costs.ts';
import type { RecoverableShuttle, ShuttleState } from './state.ts';

/** A shuttle to recover. */
export interface Recovery {
  readonly accounts: RecoverableShuttle;
  readonly createsOwnerAta: boolean;
}

/** The contents of one transaction. */
interface RecoveryPlan {
  readonly instructions: readonly Instruction[];
  readonly recoveries: readonly Recovery[];
}

/** Maximum number of transactions built at once, because they all expire with one blockhash. */
export const TRANSACTIONS_MAX = 4;

/**
 * Plans as many transactions as needed, up to {@link TRANSACTIONS_MAX}, each with as many shuttles as fit.
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

/** The instructions for each shuttle: create its owner's ATA, once per ATA, and move the tokens there. */
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

/** A token account that the payer of recoveries opens, once for all of its owner's shuttles of a mint. */
interface CreatedAta {
  readonly owner: Address;
  readonly tokenProgram: Address;
}

/** The token accounts that are opened on the way. */
export const createdAtas = (recoveries: readonly Recovery[]): readonly CreatedAta[] => [
  ...new Map(
    recoveries
      .filter(({ createsOwnerAta }) => createsOwnerAta)
      .map(({ accounts }) => [accounts.ownerAta, accounts]),
  ).values(),
];

/** Maximum rent of these accounts, lamports. The sizes are the largest that a mint can require. */
export const lamportsOf = (rent: Rent, opened: readonly CreatedAta[], ...others: readonly bigint[]): bigint =>
  sumLamports(
    rent,
    opened.map(({ tokenProgram }) => ataBytes(tokenProgram, null)),
    ...others,
  );

/**
 * Skips the shuttles for which the payer would buy a token account for another owner. Otherwise anyone could
 * strand an almost empty shuttle, close the account afterwards and keep its lamports.
 */
export const skipCostlyRecoveries = (
  rent: Rent,
  states: readonly ShuttleState[],
  payer: Address,
): ShuttleState[] =>
  states.map((state) => {
    const { owner, recovery } = state;
    if (recovery?.createsOwnerAta !== true || owner === payer) return state;
    const { ownerAta } = recovery.accounts;
    const price = lamportsOf(rent, [recovery.accounts]);
    const why = `Its owner has no token account ${ownerAta}: payer would open it for up to ${price} lamports, which become the owner's. Name owner or shuttles to do that.`;
    return { ...state, recovery: null, why };
  });

/** What the payer spends on others, as a sentence; null if nothing. */
export function describeGift(rent: Rent, recoveries: readonly Recovery[], payer: Address): string | null {
  const opened = createdAtas(recoveries).filter(({ owner }) => owner !== payer);
  if (opened.length === 0) return null;
  const what =
    opened.length === 1 ? '1 token account for another owner' : `${opened.length} token accounts for others`;
  return `The payer creates ${what}: up to ${lamportsOf(rent, opened)} lamports, which then belong to them.`;
}
