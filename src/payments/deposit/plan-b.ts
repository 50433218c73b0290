import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { delegateEata, initEata } from '../../programs/ephemeral-token/layout-b/eata.ts';
import { createPermission } from '../../programs/ephemeral-token/layout-b/permission.ts';
import { depositByShuttle } from '../../programs/ephemeral-token/layout-b/shuttle-transfer.ts';
import { deposit, initVault } from '../../programs/ephemeral-token/layout-b/vault.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { RENT_PDA } from '../fees/shuttle-costs.ts';
import type { Shuttle } from '../accounts/shuttle.ts';
import { planWrap } from '../mints/wrapped-sol.ts';
import type { DepositPlan, PermissionPlan } from './plan.ts';

/** The instructions of a deposit on layout B, in the hosted API's order. */
export function planDepositB(plan: DepositPlan): Instruction[] {
  const { accounts, payer } = plan;
  const wrap = planWrap(plan.wrap, { owner: accounts.owner, payer, ata: accounts.ownerAta });
  return [...wrap, ...(plan.shuttle === null ? directly(plan) : byShuttle(plan, plan.shuttle))];
}

/**
 * Vault, the owner's ATA, eATA, permission, delegation; then the shuttle. All but the shuttle are idempotent.
 */
function byShuttle(plan: DepositPlan, shuttle: Shuttle): Instruction[] {
  const { accounts, payer, amount, validator, creates } = plan;
  const { owner, mint, tokenProgram, ownerAta, vaultAta } = accounts;
  return [
    ...(creates.vault ? vaultCreation(plan) : []),
    ...(creates.ownerAta ? [createAtaIdempotent({ payer, ata: ownerAta, owner, mint, tokenProgram })] : []),
    ...(creates.eata ? [eataCreation(plan)] : []),
    ...(plan.permission === null ? [] : [permissionCreation(plan, plan.permission)]),
    delegation(plan),
    // The tokens arrive on the rollup, where the eATA has to be delegated by then.
    depositByShuttle(
      {
        owner,
        mint,
        tokenProgram,
        ownerAta,
        vault: accounts.vault.address,
        vaultAta,
        payer,
        rentPda: RENT_PDA,
        shuttle: shuttle.accounts,
        delegation: shuttle.delegation,
        destinationAta: ownerAta,
      },
      { shuttleId: shuttle.id, amount, validator },
    ),
  ];
}

/** eATA, vault, the deposit itself, permission, delegation. */
function directly(plan: DepositPlan): Instruction[] {
  const { accounts, creates } = plan;
  return [
    ...(creates.eata ? [eataCreation(plan)] : []),
    ...(creates.vault ? vaultCreation(plan) : []),
    // Before the delegation: a delegated eATA cannot be credited on base.
    deposit({ ...accounts, eata: accounts.eata.address, vault: accounts.vault.address }, plan.amount),
    ...(plan.permission === null ? [] : [permissionCreation(plan, plan.permission)]),
    delegation(plan),
  ];
}

function vaultCreation({ accounts, payer }: DepositPlan): Instruction[] {
  const { mint, tokenProgram, vaultAta, vaultEata } = accounts;
  const vault = accounts.vault.address;
  return [
    initVault({ vault, payer, mint, vaultEata, vaultAta, tokenProgram }),
    createAtaIdempotent({ payer, ata: vaultAta, owner: vault, mint, tokenProgram }),
  ];
}

const eataCreation = ({ accounts: { eata, owner, mint }, payer }: DepositPlan): Instruction =>
  initEata({ eata: eata.address, payer, owner, mint });

const permissionCreation = ({ accounts, payer }: DepositPlan, { flags }: PermissionPlan): Instruction =>
  createPermission({ eata: accounts.eata.address, permission: accounts.permission, payer }, flags);

const delegation = ({ accounts, payer, validator }: DepositPlan): Instruction =>
  delegateEata({ payer, eata: accounts.eata.address, delegation: accounts.delegation }, validator);
