import type { Layout } from '../../chain/chain.ts';
import { PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../programs/ephemeral-token/table/eata.ts';
import { SHUTTLE_TABLE } from '../../programs/ephemeral-token/table/shuttle.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { OWNER_ONLY } from '../../programs/permission/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import {
  type DepositAccounts,
  deriveDelegationAccounts,
  type Shuttle,
} from '../accounts/deposit-accounts.ts';
import { RENT_PDA } from '../fees/costs.ts';
import { planWrap, type WrapNeeds } from '../mints/wrapped-sol.ts';

/** Contents of a deposit. */
export interface DepositPlan {
  readonly accounts: DepositAccounts;
  /** The payer of the fee and the rent for new accounts. */
  readonly payer: Address;
  /** Amount, in base units. */
  readonly amount: bigint;
  readonly validator: Address;
  readonly creates: DepositCreations;
  /** The permission of a private deposit; null for a public deposit. */
  readonly permission: PermissionPlan | null;
  /** The shuttle that carries the tokens; null for a direct deposit, as always on layout A. */
  readonly shuttle: Shuttle | null;
  /** Native SOL to wrap first; layout B only. */
  readonly wrap: WrapNeeds;
}

/** Accounts that a deposit creates if they are missing. */
export interface DepositCreations {
  readonly eata: boolean;
  readonly vault: boolean;
  /** Whether to create the owner's ATA; not possible for a direct deposit on layout B. */
  readonly ownerAta: boolean;
}

/** The permission account of a private deposit. */
export interface PermissionPlan {
  readonly flags: number;
  /** Whether to reset an existing permission, which creation does not change; layout A only. */
  readonly resets?: boolean;
  /** The validator that the permission is delegated to; layout A only. */
  readonly delegateTo: Address | null;
}

/** Plans a permission that lets only the owner read. */
export const ownersPermission = (resets: boolean): PermissionPlan => ({
  flags: OWNER_ONLY,
  resets,
  delegateTo: null,
});

/** A deposit on layout A. Without a validator the delegation program uses its default. */
type DepositPlanA = Pick<DepositPlan, 'accounts' | 'payer' | 'amount' | 'creates' | 'permission'> & {
  readonly validator: Address | null;
};

/**
 * Plans a deposit on layout A, in the order of `delegateSpl` and `delegatePrivateSpl` of the MagicBlock SDK
 * 0.8: eATA, vault and its ATA, the owner's ATA, deposit, delegation, permission, delegation of the
 * permission. Only this service resets an existing permission.
 */
export function planDepositA(plan: DepositPlanA): Instruction[] {
  const { accounts, payer, creates, permission } = plan;
  const { owner, mint, tokenProgram, vault, vaultAta, ownerAta } = accounts;
  const eata = accounts.eata.address;
  const eataBump = accounts.eata.bump;
  const instructions: Instruction[] = [];
  if (creates.eata)
    instructions.push(encode(EATA_TABLE_A.initEata, { eata, payer, owner, mint }, { eataBump }));
  if (creates.vault) {
    instructions.push(
      encode(
        EATA_TABLE_A.initVault,
        { vault: vault.address, payer, mint, vaultAta, tokenProgram },
        { vaultBump: vault.bump },
      ),
      createAtaIdempotent({ payer, ata: vaultAta, owner: vault.address, mint, tokenProgram }),
    );
  }
  if (creates.ownerAta) {
    instructions.push(createAtaIdempotent({ payer, ata: ownerAta, owner, mint, tokenProgram }));
  }
  instructions.push(
    // Deposit before the delegation, because a delegated eATA cannot be credited on base.
    encode(
      EATA_TABLE.deposit,
      { eata, vault: vault.address, mint, ownerAta, vaultAta, owner, tokenProgram },
      { amount: plan.amount },
    ),
    encode(
      EATA_TABLE_A.delegateEata,
      { payer, eata, delegation: accounts.delegation },
      { eataBump, validator: plan.validator },
    ),
  );
  if (permission === null) return instructions;
  instructions.push(
    encode(
      EATA_TABLE_A.createPermission,
      { eata, permission: accounts.permission, payer },
      { eataBump, flags: permission.flags },
    ),
  );
  // Creation does not change an existing permission.
  if (permission.resets === true) {
    instructions.push(
      encode(
        EATA_TABLE_A.resetPermission,
        { eata, permission: accounts.permission, owner },
        { eataBump, flags: permission.flags },
      ),
    );
  }
  if (permission.delegateTo !== null) {
    const delegation = deriveDelegationAccounts(accounts.permission, PERMISSION_PROGRAM);
    instructions.push(
      encode(
        EATA_TABLE_A.delegatePermission,
        { payer, eata, permission: accounts.permission, delegation, validator: permission.delegateTo },
        { eataBump },
      ),
    );
  }
  return instructions;
}

/** Plans a deposit. */
export const planDeposit = (layout: Layout, plan: DepositPlan): Instruction[] =>
  layout === 'a' ? planDepositA(plan) : planDepositB(plan);

/** Plans a deposit on layout B, in the hosted API's order. */
function planDepositB(plan: DepositPlan): Instruction[] {
  const { accounts, payer } = plan;
  const wrap = planWrap(plan.wrap, { owner: accounts.owner, payer, ata: accounts.ownerAta });
  return [...wrap, ...(plan.shuttle === null ? directly(plan) : byShuttle(plan, plan.shuttle))];
}

/**
 * Plans a shuttle deposit: vault, owner's ATA, eATA, permission, delegation, and the shuttle. All but the
 * shuttle are idempotent.
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
    // Delegate the eATA first, because the tokens arrive on the rollup.
    encode(
      SHUTTLE_TABLE.depositByShuttle,
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

function directly(plan: DepositPlan): Instruction[] {
  const { accounts, creates } = plan;
  return [
    ...(creates.eata ? [eataCreation(plan)] : []),
    ...(creates.vault ? vaultCreation(plan) : []),
    // Deposit before the delegation, because a delegated eATA cannot be credited on base.
    encode(
      EATA_TABLE.deposit,
      { ...accounts, eata: accounts.eata.address, vault: accounts.vault.address },
      { amount: plan.amount },
    ),
    ...(plan.permission === null ? [] : [permissionCreation(plan, plan.permission)]),
    delegation(plan),
  ];
}

function vaultCreation({ accounts, payer }: DepositPlan): Instruction[] {
  const { mint, tokenProgram, vaultAta, vaultEata } = accounts;
  const vault = accounts.vault.address;
  return [
    encode(EATA_TABLE.initVault, { vault, payer, mint, vaultEata, vaultAta, tokenProgram }),
    createAtaIdempotent({ payer, ata: vaultAta, owner: vault, mint, tokenProgram }),
  ];
}

const eataCreation = ({ accounts: { eata, owner, mint }, payer }: DepositPlan): Instruction =>
  encode(EATA_TABLE.initEata, { eata: eata.address, payer, owner, mint });

const permissionCreation = ({ accounts, payer }: DepositPlan, { flags }: PermissionPlan): Instruction =>
  encode(
    EATA_TABLE.createPermission,
    { eata: accounts.eata.address, permission: accounts.permission, payer },
    { flags },
  );

const delegation = ({ accounts, payer, validator }: DepositPlan): Instruction =>
  encode(
    EATA_TABLE.delegateEata,
    { payer, eata: accounts.eata.address, delegation: accounts.delegation },
    { validator },
  );
