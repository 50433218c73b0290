import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../programs/delegation/record.ts';
import { EATA_BYTES_A, VAULT_BYTES_A } from '../../programs/ephemeral-token/state.ts';
import { PERMISSION_BYTES } from '../../programs/permission/pdas.ts';
import { ataBytes } from '../../programs/token/account-bytes.ts';
import type { Warning } from '../building/built-transaction.ts';
import { deriveDepositAccounts } from '../accounts/deposit-accounts.ts';
import type { Draft } from '../building/draft.ts';
import { LAMPORTS_PER_SIGNATURE, sumLamports } from '../fees/rent-costs.ts';
import {
  warnOfFrozenAccount,
  warnOfFrozenVault,
  warnOfTooFewLamports,
  warnOfTooFewTokens,
  warnOfUnknownValidator,
} from '../warnings/account-warnings.ts';
import { canReset, isOwnersAlone, namesOfReaders, warnOfOtherReaders } from './permission-status.ts';
import { writeDepositA } from './message-a.ts';
import type { DepositPlanA } from './plan-a.ts';
import { eataMissing, vaultMissing } from './refusals.ts';
import type { DepositRequest } from './request.ts';
import { readDepositStateA, type DepositStateA } from './state-a.ts';

/** Permission flags of a private deposit: the owner alone, whom the program makes the authority by itself. */
const OWNER_ONLY = 0;

/**
 * A deposit on layout A: directly into the vault, then the eATA is delegated.
 *
 * @throws {ServiceError} EATA_ALREADY_DELEGATED, EATA_DELEGATED_ELSEWHERE, EATA_SETTLING, EATA_NOT_INITIALIZED,
 *   VAULT_NOT_INITIALIZED, ACCOUNT_UNREADABLE.
 */
export async function draftDepositA({ chain, input, facts, validator }: DepositRequest): Promise<Draft> {
  const accounts = deriveDepositAccounts(input.owner, facts.mint, facts.tokenProgram);
  const state = await readDepositStateA(chain, accounts, validator);
  const initEata = input.initIfMissing ?? true;
  if (!initEata && !state.eataExists) throw eataMissing(accounts.eata.address);
  if (input.initVaultIfMissing === false && state.vault === null) {
    throw vaultMissing(facts.mint, 'leave out initVaultIfMissing or set it to true');
  }
  const plan: DepositPlanA = {
    accounts,
    payer: input.owner,
    amount: input.amount,
    validator,
    initEata,
    initVault: input.initVaultIfMissing ?? state.vault === null,
    initOwnerAta: input.initAtasIfMissing ?? false,
    permission:
      (input.private ?? true)
        ? { flags: OWNER_ONLY, resets: canReset(state.permission), delegateTo: null }
        : null,
  };
  return {
    instructions: writeDepositA(plan),
    warnings: warningsFor(plan, state, { decimals: facts.decimals, validator }),
    notes: notesOn(plan, state),
  };
}

/** A permission stays when the tokens have been withdrawn, and nothing of this program takes it away. */
function notesOn({ permission: planned }: DepositPlanA, { permission }: DepositStateA): string[] {
  if (permission === null) return [];
  const others = namesOfReaders(permission);
  if (planned?.resets === true) {
    return [
      `It also resets the permission account ${permission.address}, which let ${others} read: from then on only the owner can.`,
    ];
  }
  if (planned !== null || permission.otherReaders === null) return [];
  const readers = isOwnersAlone(permission) ? 'only the owner' : `only the owner and ${others}`;
  return [
    `It is private all the same: the permission account of an earlier deposit lets ${readers} read it on the rollup.`,
  ];
}

function warningsFor(
  plan: DepositPlanA,
  state: DepositStateA,
  { decimals, validator }: Pick<DepositRequest, 'validator'> & { decimals: number },
): Warning[] {
  const warnings: Warning[] = [];
  const ata = plan.accounts.ownerAta;
  const held = state.ownerTokens?.amount ?? 0n;
  if (held < plan.amount) {
    warnings.push(
      warnOfTooFewTokens('deposit', { ata, held, taken: plan.amount, mint: plan.accounts.mint, decimals }),
    );
  }
  if (state.ownerTokens?.state === 'frozen') warnings.push(warnOfFrozenAccount(ata));
  if (state.vault?.state === 'frozen') warnings.push(warnOfFrozenVault(plan.accounts.vaultAta));
  const needed = lamportsNeeded(plan, state);
  if (state.ownerLamports < needed) {
    warnings.push(warnOfTooFewLamports('deposit', { who: 'owner', held: state.ownerLamports, needed }));
  }
  if (!state.validatorAdmitted) warnings.push(warnOfUnknownValidator(validator));
  if (plan.permission?.resets === false && state.permission !== null && !isOwnersAlone(state.permission)) {
    warnings.push(warnOfOtherReaders(state.permission));
  }
  return warnings;
}

/** Rents of the accounts the plan creates for good, and the fee. */
function lamportsNeeded(plan: DepositPlanA, state: DepositStateA): bigint {
  const created = [DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES];
  // Layout A holds mints of SPL Token alone, which have no extensions.
  const ataSize = ataBytes(plan.accounts.tokenProgram, null);
  if (!state.eataExists) created.push(EATA_BYTES_A);
  if (state.vault === null) created.push(VAULT_BYTES_A, ataSize);
  if (plan.permission !== null && state.permission === null) created.push(PERMISSION_BYTES);
  if (plan.initOwnerAta && state.ownerTokens === null) created.push(ataSize);
  return sumLamports(created, LAMPORTS_PER_SIGNATURE);
}
