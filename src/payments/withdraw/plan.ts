import type { Layout } from '../../chain/chain.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import { createAtaIdempotent } from '../../programs/associated-token.ts';
import * as layoutA from '../../programs/ephemeral-token/layout-a.ts';
import { delegateEata, initEata } from '../../programs/ephemeral-token/layout-b/eata.ts';
import * as layoutB from '../../programs/ephemeral-token/layout-b/eata.ts';
import { withdrawByShuttle } from '../../programs/ephemeral-token/layout-b/shuttle.ts';
import { closeTokenAccount } from '../../programs/token/instructions.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { DepositAccounts } from '../accounts/deposit-accounts.ts';
import type { Shuttle } from '../accounts/shuttle.ts';
import { RENT_PDA } from '../fees/costs.ts';

/** The contents of every withdrawal. The owner pays for new accounts. */
export interface WithdrawPlan {
  readonly accounts: DepositAccounts;
  /** Base units. */
  readonly amount: bigint;
  readonly initOwnerAta: boolean;
}

/** A withdrawal directly from the vault. */
export interface DirectWithdrawPlan extends WithdrawPlan {
  readonly layout: Layout;
  /** Whether the owner's ATA is closed afterwards, which turns wrapped SOL into SOL. */
  readonly closesOwnerAta: boolean;
}

/** The owner's ATA, the withdrawal, the closing of the ATA. Only for an eATA that is not delegated. */
export function planDirectWithdraw(plan: DirectWithdrawPlan): Instruction[] {
  const { accounts, amount } = plan;
  const { owner, ownerAta, tokenProgram, vault } = accounts;
  const moved = { ...accounts, eata: accounts.eata.address, vault: vault.address };
  const instructions = ataCreation(plan);
  instructions.push(
    plan.layout === 'a' ? layoutA.withdraw(moved, amount, vault.bump) : layoutB.withdraw(moved, amount),
  );
  if (plan.closesOwnerAta) {
    instructions.push(
      closeTokenAccount(tokenProgram, { account: ownerAta, destination: owner, authority: owner }),
    );
  }
  return instructions;
}

/** A withdrawal from the rollup by a shuttle; layout B. */
export interface ShuttleWithdrawPlan extends WithdrawPlan {
  readonly validator: Address;
  readonly shuttle: Shuttle;
  readonly initEata: boolean;
}

/** The owner's ATA, the eATA and its delegation, all idempotent; then the shuttle. */
export function planShuttleWithdraw(plan: ShuttleWithdrawPlan): Instruction[] {
  const { accounts, amount, shuttle, validator } = plan;
  const { owner, mint, tokenProgram, ownerAta } = accounts;
  const eata = accounts.eata.address;
  const instructions = ataCreation(plan);
  if (plan.initEata) instructions.push(initEata({ eata, payer: owner, owner, mint }));
  instructions.push(
    delegateEata({ payer: owner, eata, delegation: accounts.delegation }, validator),
    withdrawByShuttle(
      {
        owner,
        mint,
        tokenProgram,
        ownerAta,
        payer: owner,
        rentPda: RENT_PDA,
        shuttle: shuttle.accounts,
        delegation: shuttle.delegation,
      },
      { shuttleId: shuttle.id, amount, validator },
    ),
  );
  return instructions;
}

/**
 * Whether a direct withdrawal closes the ATA afterwards: only for native SOL, and only if the caller
 * explicitly asked for the direct form, because closing also unwraps everything else in the account.
 */
export const closesOwnerAta = (mint: Address, idempotent: boolean): boolean =>
  mint === NATIVE_MINT && !idempotent;

function ataCreation({ accounts, initOwnerAta }: WithdrawPlan): Instruction[] {
  if (!initOwnerAta) return [];
  const { owner, mint, tokenProgram, ownerAta } = accounts;
  return [createAtaIdempotent({ payer: owner, ata: ownerAta, owner, mint, tokenProgram })];
}
