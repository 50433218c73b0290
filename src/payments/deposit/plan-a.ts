import { PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import { createAtaIdempotent } from '../../programs/associated-token.ts';
import {
  createPermission,
  delegateEata,
  delegatePermission,
  deposit,
  initEata,
  initVault,
  resetPermission,
} from '../../programs/ephemeral-token/layout-a.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { deriveDelegationAccounts, type DepositAccounts } from '../accounts/deposit-accounts.ts';

/** What a deposit on layout A is to contain. */
export interface DepositPlanA {
  readonly accounts: DepositAccounts;
  /** Pays for what is created, besides the fee. */
  readonly payer: Address;
  /** Base units. */
  readonly amount: bigint;
  /** Who the eATA is delegated to; null leaves it to the delegation program's own default. */
  readonly validator: Address | null;
  readonly initEata: boolean;
  readonly initVault: boolean;
  readonly initOwnerAta: boolean;
  /** Null for a public deposit. */
  readonly permission: PermissionPlan | null;
}

/** The permission account of a private deposit. */
export interface PermissionPlan {
  readonly flags: number;
  /** Whether one that is there is set anew, as its creation leaves it as it is. */
  readonly resets?: boolean;
  /** Whom it is delegated to as well. */
  readonly delegateTo: Address | null;
}

/**
 * The instructions of a deposit on layout A, in the order of `delegateSpl` and `delegatePrivateSpl` of the MagicBlock
 * SDK 0.8: eATA, vault and its ATA, the owner's ATA, deposit, delegation, permission, delegation of the permission. Of
 * our own is the resetting of a permission that is there.
 */
export function planDepositA(plan: DepositPlanA): Instruction[] {
  const { accounts, payer, permission } = plan;
  const { owner, mint, tokenProgram, vault, vaultAta, ownerAta } = accounts;
  const eata = accounts.eata.address;
  const eataBump = accounts.eata.bump;
  const instructions: Instruction[] = [];
  if (plan.initEata) instructions.push(initEata({ eata, payer, owner, mint }, eataBump));
  if (plan.initVault) {
    instructions.push(
      initVault({ vault: vault.address, payer, mint, vaultAta, tokenProgram }, vault.bump),
      createAtaIdempotent({ payer, ata: vaultAta, owner: vault.address, mint, tokenProgram }),
    );
  }
  if (plan.initOwnerAta) {
    instructions.push(createAtaIdempotent({ payer, ata: ownerAta, owner, mint, tokenProgram }));
  }
  instructions.push(
    deposit({ eata, vault: vault.address, mint, ownerAta, vaultAta, owner, tokenProgram }, plan.amount),
    delegateEata({ payer, eata, delegation: accounts.delegation }, eataBump, plan.validator),
  );
  if (permission === null) return instructions;
  instructions.push(
    createPermission({ eata, permission: accounts.permission, payer }, eataBump, permission.flags),
  );
  if (permission.resets === true) {
    instructions.push(
      resetPermission({ eata, permission: accounts.permission, owner }, eataBump, permission.flags),
    );
  }
  if (permission.delegateTo !== null) {
    const delegation = deriveDelegationAccounts(accounts.permission, PERMISSION_PROGRAM);
    instructions.push(
      delegatePermission(
        { payer, eata, permission: accounts.permission, delegation, validator: permission.delegateTo },
        eataBump,
      ),
    );
  }
  return instructions;
}
