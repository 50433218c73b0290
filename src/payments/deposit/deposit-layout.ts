import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { DepositAccounts } from '../accounts/deposit-accounts.ts';
import type { Delegated } from '../rollup-state/refuse-delegated.ts';
import type { DepositCreations, DepositPlan } from './plan.ts';
import type { DepositInput } from './request.ts';

/** The switches of a deposit, with the layout's defaults applied. */
interface DepositSwitches {
  /** Whether a shuttle carries the tokens; otherwise the deposit is direct. */
  readonly byShuttle: boolean;
  readonly isPrivate: boolean;
  /** `vault` is null if it is to be created only if missing. */
  readonly creates: Omit<DepositCreations, 'vault'> & { readonly vault: boolean | null };
}

/** A deposit that would add to a delegated eATA. */
export interface DelegatedDeposit {
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
  readonly vaultMend: string;
  switchesOf(input: Omit<DepositInput, 'owner' | 'amount'>): DepositSwitches;
  /**
   * Refuses a deposit into a delegated eATA where the program would.
   *
   * @throws {ServiceError} EATA_SETTLING, EATA_DELEGATED_ELSEWHERE, EATA_VALIDATOR_MISMATCH,
   *   EATA_ALREADY_DELEGATED, ACCOUNT_UNREADABLE.
   */
  requireAddable(deposit: DelegatedDeposit): Promise<void>;
  plan(plan: DepositPlan): Instruction[];
}
