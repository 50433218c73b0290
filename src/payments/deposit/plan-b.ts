import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { delegateEata, initEata } from '../../programs/ephemeral-token/layout-b/eata.ts';
import { createPermission } from '../../programs/ephemeral-token/layout-b/permission.ts';
import { depositByShuttle } from '../../programs/ephemeral-token/layout-b/shuttle-transfer.ts';
import { deposit, initVault } from '../../programs/ephemeral-token/layout-b/vault.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { DepositAccounts } from '../accounts/deposit-accounts.ts';
import { RENT_PDA } from '../fees/rent-pda.ts';
import type { Shuttle } from '../accounts/shuttle.ts';
import { planWrap, type WrapNeeds } from '../mints/wrapped-sol.ts';

/** What a deposit on layout B is to contain. */
export interface DepositPlanB {
  readonly accounts: DepositAccounts;
  /** Pays for what is created, besides the fee. */
  readonly payer: Address;
  /** Base units. */
  readonly amount: bigint;
  readonly validator: Address;
  /** What carries the tokens into the rollup; null deposits directly into the vault. */
  readonly shuttle: Shuttle | null;
  readonly initEata: boolean;
  readonly initVault: boolean;
  /** Deposits by shuttle only: the direct form has no place for it. */
  readonly initOwnerAta: boolean;
  readonly isPrivate: boolean;
  readonly wrap: WrapNeeds;
}

/** Permission flags of a private deposit: the owner alone, whom the program makes the authority by itself. */
const OWNER_ONLY = 0;

/** The instructions of a deposit on layout B, in the hosted API's order. */
export function planDepositB(plan: DepositPlanB): Instruction[] {
  const { accounts, payer } = plan;
  const wrap = planWrap(plan.wrap, { owner: accounts.owner, payer, ata: accounts.ownerAta });
  return [...wrap, ...(plan.shuttle === null ? directly(plan) : byShuttle(plan, plan.shuttle))];
}

/** Vault, the owner's ATA, eATA, permission, delegation; then the shuttle. All but the last may be repeated. */
function byShuttle(plan: DepositPlanB, shuttle: Shuttle): Instruction[] {
  const { accounts, payer, amount, validator } = plan;
  const { owner, mint, tokenProgram, ownerAta, vaultAta } = accounts;
  return [
    ...(plan.initVault ? vaultCreation(plan) : []),
    ...(plan.initOwnerAta ? [createAtaIdempotent({ payer, ata: ownerAta, owner, mint, tokenProgram })] : []),
    ...(plan.initEata ? [eataCreation(plan)] : []),
    ...(plan.isPrivate ? [permissionCreation(plan)] : []),
    delegation(plan),
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
function directly(plan: DepositPlanB): Instruction[] {
  const { accounts } = plan;
  return [
    ...(plan.initEata ? [eataCreation(plan)] : []),
    ...(plan.initVault ? vaultCreation(plan) : []),
    deposit({ ...accounts, eata: accounts.eata.address, vault: accounts.vault.address }, plan.amount),
    ...(plan.isPrivate ? [permissionCreation(plan)] : []),
    delegation(plan),
  ];
}

function vaultCreation({ accounts, payer }: DepositPlanB): Instruction[] {
  const { mint, tokenProgram, vaultAta, vaultEata } = accounts;
  const vault = accounts.vault.address;
  return [
    initVault({ vault, payer, mint, vaultEata, vaultAta, tokenProgram }),
    createAtaIdempotent({ payer, ata: vaultAta, owner: vault, mint, tokenProgram }),
  ];
}

const eataCreation = ({ accounts: { eata, owner, mint }, payer }: DepositPlanB): Instruction =>
  initEata({ eata: eata.address, payer, owner, mint });

const permissionCreation = ({ accounts, payer }: DepositPlanB): Instruction =>
  createPermission({ eata: accounts.eata.address, permission: accounts.permission, payer }, OWNER_ONLY);

const delegation = ({ accounts, payer, validator }: DepositPlanB): Instruction =>
  delegateEata({ payer, eata: accounts.eata.address, delegation: accounts.delegation }, validator);
