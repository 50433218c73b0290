import type { Layout } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, NATIVE_MINT, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../programs/delegation/state.ts';
import {
  EATA_BYTES_A,
  EATA_BYTES_B,
  VAULT_BYTES_A,
  VAULT_BYTES_B,
} from '../../programs/ephemeral-token/state.ts';
import { decodePermission, PERMISSION_BYTES } from '../../programs/permission/state.ts';
import { ataBytes } from '../../programs/token/mint-extensions.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import type { Warning } from '../building/built-transaction.ts';
import {
  warnOfCpiGuard,
  warnOfFrozen,
  warnOfLowRentPda,
  warnOfTooFewLamports,
  warnOfTooFewTokens,
  warnOfUnknownValidator,
} from '../building/warnings.ts';
import type { DepositRequest } from '../deposit.ts';
import { rentPdaLow, SHUTTLE_FEE_LAMPORTS, sumLamports } from '../fees/costs.ts';
import type { DepositState } from './draft.ts';
import type { DepositPlan, PermissionPlan } from './plan.ts';

/** An existing permission account, which an earlier deposit or anyone else created. */
export interface LeftPermission {
  readonly address: Address;
  /** Readers of the eATA on the rollup other than its owner; null if everyone can read it. */
  readonly otherReaders: readonly Address[] | null;
  /** Whether the permission is delegated. Base instructions cannot change a delegated permission. */
  readonly isDelegated: boolean;
}

/**
 * Reads the permission account of an eATA; null if there is none.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if it is not in the permission program's format.
 */
export function readPermission(
  address: Address,
  account: Account | null,
  owner: Address,
): LeftPermission | null {
  const isDelegated = account?.owner === DELEGATION_PROGRAM;
  // A system account here holds lamports that were sent before the permission was created.
  if (account === null || (account.owner !== PERMISSION_PROGRAM && !isDelegated)) return null;
  const permission = decodePermission(account.data);
  if (permission === null) {
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `The permission account ${address} is not in the format of its program, so the readers of the deposit are unknown; try again, or ask the operator to check the RPC URLs`,
      { permission: address },
    );
  }
  // The account's owner program is also a member, but has no rights.
  const others = permission.members?.filter((member) => member.flags !== 0 && member.address !== owner);
  return { address, otherReaders: others?.map((member) => member.address) ?? null, isDelegated };
}

/** Checks whether only the owner can read the account. */
export const isOwnersAlone = ({ otherReaders }: LeftPermission): boolean => otherReaders?.length === 0;

/** Names the readers of a permission other than the owner. */
export const namesOfReaders = ({ otherReaders }: LeftPermission): string =>
  otherReaders === null ? 'everyone' : otherReaders.join(' and ');

function warnOfOtherReaders(permission: LeftPermission): Warning {
  const { address, isDelegated } = permission;
  const advice = isDelegated
    ? 'it is delegated itself and cannot be changed on the base ledger: undelegate it on its rollup first'
    : 'this transaction does not change it: reset it first (instruction 9 of the ephemeral token program)';
  return {
    code: 'DEPOSIT_NOT_PRIVATE',
    message: `The deposit would not be private: its permission account ${address} lets ${namesOfReaders(permission)} read it on the rollup, and ${advice}, or deposit from another wallet.`,
  };
}

/** Describes how a deposit affects an existing permission, which remains when the tokens leave. */
export function notesOnReaders(planned: PermissionPlan | null, permission: LeftPermission | null): string[] {
  if (permission === null) return [];
  const others = namesOfReaders(permission);
  if (planned?.resets === true) {
    return [
      `It also resets the permission account ${permission.address}, which let ${others} read the deposits: from then on, only the owner can.`,
    ];
  }
  if (planned !== null || permission.otherReaders === null) return [];
  const readers = isOwnersAlone(permission) ? 'only the owner' : `only the owner and ${others}`;
  return [
    `The deposit is still private: the permission account of an earlier deposit lets ${readers} read it on the rollup.`,
  ];
}

/** Warns about conditions that make the deposit fail or strand its tokens. */
export function depositWarnings(
  plan: DepositPlan,
  state: DepositState,
  { chain, facts, terms }: Pick<DepositRequest, 'chain' | 'facts' | 'terms'>,
): Warning[] {
  const warnings: Warning[] = [];
  const { accounts, amount } = plan;
  const ata = accounts.ownerAta;
  const held = state.ownerTokens?.amount ?? 0n;
  // The transaction wraps missing native SOL from the lamports checked below.
  const isWrapped = chain.layout === 'b' && accounts.mint === NATIVE_MINT;
  if (held < amount && !isWrapped) {
    warnings.push(warnOfTooFewTokens('deposit', { ata, held, taken: amount, ...facts }));
  }
  if (state.ownerTokens?.state === 'frozen') warnings.push(warnOfFrozen(`The owner's token account ${ata}`));
  if (state.ownerTokens?.rules.guardsCpi === true) warnings.push(warnOfCpiGuard(ata));
  if (state.vault?.state === 'frozen')
    warnings.push(warnOfFrozen(`The vault's token account ${accounts.vaultAta}`));
  const created = createdBytes(
    plan,
    state,
    chain.layout,
    ataBytes(facts.tokenProgram, terms?.extensions ?? null),
  );
  const needed = sumLamports(state.rent, created, ...chargesOf(plan));
  if (state.ownerLamports < needed) {
    warnings.push(warnOfTooFewLamports('deposit', { who: 'owner', held: state.ownerLamports, needed }));
  }
  if (!state.validatorAdmitted) warnings.push(warnOfUnknownValidator(plan.validator));
  const rentPdaLamports = state.rentPdaLamports + plan.wrap.rentTopUpLamports;
  if (plan.shuttle !== null && rentPdaLamports < rentPdaLow(state.rent)) {
    warnings.push(warnOfLowRentPda(rentPdaLamports, state.rent));
  }
  if (leavesReaders(plan, state) && state.permission !== null) {
    warnings.push(warnOfOtherReaders(state.permission));
  }
  return warnings;
}

/**
 * Lists the sizes of the accounts that the plan creates permanently, in bytes.
 *
 * @param ataSize size of the mint's token accounts, in bytes.
 */
function createdBytes(plan: DepositPlan, state: DepositState, layout: Layout, ataSize: number): number[] {
  const created: number[] = [];
  if (state.eata.at === 'nowhere') created.push(layout === 'a' ? EATA_BYTES_A : EATA_BYTES_B);
  // A delegated eATA already has its records.
  if (state.eata.at !== 'rollup') created.push(DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES);
  const vault = layout === 'a' ? [VAULT_BYTES_A] : [VAULT_BYTES_B, EATA_BYTES_B];
  if (state.vault === null) created.push(...vault, ataSize);
  if (plan.permission !== null && state.permission === null) created.push(PERMISSION_BYTES);
  // Wrapping also creates the ATA.
  const createsOwnerAta = plan.creates.ownerAta || plan.wrap.wrapLamports > 0n;
  if (createsOwnerAta && state.ownerTokens === null) created.push(ataSize);
  return created;
}

const chargesOf = ({ shuttle, wrap }: DepositPlan): bigint[] => [
  LAMPORTS_PER_SIGNATURE,
  shuttle === null ? 0n : SHUTTLE_FEE_LAMPORTS,
  wrap.wrapLamports,
  wrap.rentTopUpLamports,
];

const leavesReaders = ({ permission: planned }: DepositPlan, { permission }: DepositState): boolean =>
  planned !== null && planned.resets !== true && permission !== null && !isOwnersAlone(permission);
