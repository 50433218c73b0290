import type { Chain, Layout } from '../../chain/chain.ts';
import {
  EATA_BYTES_A,
  EATA_BYTES_B,
  VAULT_BYTES_A,
  VAULT_BYTES_B,
} from '../../programs/ephemeral-token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { type DepositAccounts, eataOf } from '../accounts/deposit-accounts.ts';
import { alreadyDelegated, type Delegated, rejectDelegated } from '../rollup-state/delegated-eata.ts';
import { requireValidator, staysDelegated } from '../rollup-state/eata-status.ts';
import { type DepositCreations, type DepositPlan, planDepositA, planDepositB } from './plan.ts';
import type { DepositInput } from './request.ts';

/** The switches of a deposit, with the layout's defaults applied. */
interface DepositSwitches {
  /** Whether a shuttle carries the tokens; otherwise the deposit is direct. */
  readonly byShuttle: boolean;
  readonly isPrivate: boolean;
  /** `vault` is null to create it only if it is missing. */
  readonly creates: Omit<DepositCreations, 'vault'> & { readonly vault: boolean | null };
}

/** A deposit that would add to a delegated eATA. */
interface DelegatedDeposit {
  readonly chain: Chain;
  readonly accounts: DepositAccounts;
  /** The validator of the deposit. */
  readonly validator: Address;
  readonly byShuttle: boolean;
  readonly delegated: Delegated;
}

/** The differences between deposits on the two layouts of the ephemeral token program. */
export interface DepositLayout {
  /** Whether native SOL is wrapped, and the rent PDA, which pays for shuttles, is checked. */
  readonly hasShuttles: boolean;
  /** Whether a deposit can reset a permission that lets others read. */
  readonly resetsPermission: boolean;
  /** Sizes of the accounts a deposit may create, except token accounts, bytes. */
  readonly bytes: { readonly eata: number; readonly vault: readonly number[] };
  /** How to use initVaultIfMissing if the vault is missing. */
  readonly vaultAdvice: string;
  switchesOf(input: Omit<DepositInput, 'owner' | 'amount'>): DepositSwitches;
  /**
   * Rejects a deposit into a delegated eATA if the program would reject it.
   *
   * @throws {ServiceError} EATA_SETTLING, EATA_DELEGATED_ELSEWHERE, EATA_VALIDATOR_MISMATCH,
   *   EATA_ALREADY_DELEGATED, ACCOUNT_UNREADABLE.
   */
  requireAddable(deposit: DelegatedDeposit): Promise<void>;
  plan(plan: DepositPlan): Instruction[];
}

/**
 * Deposits on layout A: directly into the vault, then the eATA is delegated. A delegated eATA cannot be added
 * to.
 */
const DEPOSIT_A: DepositLayout = {
  hasShuttles: false,
  resetsPermission: true,
  bytes: { eata: EATA_BYTES_A, vault: [VAULT_BYTES_A] },
  vaultAdvice: 'leave out initVaultIfMissing or set it to true',
  switchesOf: (input) => ({
    byShuttle: false,
    isPrivate: input.private ?? true,
    creates: {
      eata: input.initIfMissing ?? true,
      vault: input.initVaultIfMissing ?? null,
      ownerAta: input.initAtasIfMissing ?? false,
    },
  }),
  requireAddable: rejectDelegatedDeposit,
  plan: planDepositA,
};

const UNDELEGATE_FIRST =
  'Undelegate it on the rollup first (spl.undelegate; its tokens stay in it) and deposit again once the base ledger shows it.';

function rejectDelegatedDeposit({ chain, accounts, delegated }: DelegatedDeposit): Promise<never> {
  return rejectDelegated(chain, eataOf(accounts), delegated, {
    settling: { what: 'nothing can be added to it', advice: 'then deposit again' },
    elsewhere: 'Nothing can be added to it: deposit from another wallet.',
    delegated: (to) =>
      `is already delegated to ${to}, and the program on this cluster cannot add to a delegated account. ${chain.rollup === null ? staysDelegated(chain.cluster) : UNDELEGATE_FIRST}`,
  });
}

/** Deposits on layout B: by a shuttle with a fresh id, or directly. Defaults are those of the hosted API. */
export const DEPOSIT_B: DepositLayout = {
  hasShuttles: true,
  resetsPermission: false,
  // The vault has its own eATA.
  bytes: { eata: EATA_BYTES_B, vault: [VAULT_BYTES_B, EATA_BYTES_B] },
  vaultAdvice: 'set initVaultIfMissing to true',
  switchesOf: (input) => {
    const byShuttle = input.idempotent ?? true;
    const eata = input.initIfMissing ?? true;
    return {
      byShuttle,
      isPrivate: input.private ?? true,
      creates: {
        eata,
        vault: input.initVaultIfMissing ?? (byShuttle ? false : eata),
        ownerAta: byShuttle && (input.initAtasIfMissing ?? false),
      },
    };
  },
  requireAddable: requireShuttle,
  plan: planDepositB,
};

/**
 * A shuttle can add to an eATA delegated to its own validator. A direct deposit cannot add to a delegated
 * one.
 */
async function requireShuttle(deposit: DelegatedDeposit): Promise<void> {
  const { accounts, validator, byShuttle, delegated } = deposit;
  requireValidator(accounts.eata.address, { at: 'rollup', validator: delegated.validator }, validator);
  if (byShuttle) return;
  throw alreadyDelegated(
    eataOf(accounts),
    delegated.validator,
    (to) =>
      `is already delegated to ${to}, and a direct deposit cannot add to a delegated account. Leave out idempotent or set it to true: a shuttle can.`,
  );
}

/** Deposits by layout. */
export const DEPOSIT_LAYOUTS: Readonly<Record<Layout, DepositLayout>> = { a: DEPOSIT_A, b: DEPOSIT_B };
