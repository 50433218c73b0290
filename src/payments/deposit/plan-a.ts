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
import { deriveDelegationAccounts } from '../accounts/deposit-accounts.ts';
import type { DepositPlan } from './plan.ts';

/** A deposit on layout A. Without a validator the delegation program's own default gets the eATA. */
type DepositPlanA = Pick<DepositPlan, 'accounts' | 'payer' | 'amount' | 'creates' | 'permission'> & {
  readonly validator: Address | null;
};

/**
 * The instructions of a deposit on layout A, in the order of `delegateSpl` and `delegatePrivateSpl` of the
 * MagicBlock SDK 0.8: eATA, vault and its ATA, the owner's ATA, deposit, delegation, permission, delegation
 * of the permission. Resetting an existing permission is an addition of this service.
 */
export function planDepositA(plan: DepositPlanA): Instruction[] {
  const { accounts, payer, creates, permission } = plan;
  const { owner, mint, tokenProgram, vault, vaultAta, ownerAta } = accounts;
  const eata = accounts.eata.address;
  const eataBump = accounts.eata.bump;
  const instructions: Instruction[] = [];
  if (creates.eata) instructions.push(initEata({ eata, payer, owner, mint }, eataBump));
  if (creates.vault) {
    instructions.push(
      initVault({ vault: vault.address, payer, mint, vaultAta, tokenProgram }, vault.bump),
      createAtaIdempotent({ payer, ata: vaultAta, owner: vault.address, mint, tokenProgram }),
    );
  }
  if (creates.ownerAta) {
    instructions.push(createAtaIdempotent({ payer, ata: ownerAta, owner, mint, tokenProgram }));
  }
  instructions.push(
    // The deposit comes first: a delegated eATA cannot be credited on base.
    deposit({ eata, vault: vault.address, mint, ownerAta, vaultAta, owner, tokenProgram }, plan.amount),
    delegateEata({ payer, eata, delegation: accounts.delegation }, eataBump, plan.validator),
  );
  if (permission === null) return instructions;
  instructions.push(
    createPermission({ eata, permission: accounts.permission, payer }, eataBump, permission.flags),
  );
  // Creation does not change an existing permission.
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
