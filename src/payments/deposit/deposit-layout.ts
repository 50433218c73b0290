import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { DepositAccounts } from '../accounts/deposit-accounts.ts';
import type { Instructions } from '../building/built-transaction.ts';
import type { Delegated } from '../rollup-state/refuse-delegated.ts';
import type { DepositCreations, DepositPlan } from './plan.ts';
import type { DepositInput } from './request.ts';

/** The switches of a deposit, with a layout's defaults in place of those that were left out. */
interface DepositSwitches {
  /** Whether a shuttle carries the tokens; otherwise they are deposited directly. */
  readonly byShuttle: boolean;
  readonly isPrivate: boolean;
  /** The vault is null where it is to be created if there is none. */
  readonly creates: Omit<DepositCreations, 'vault'> & { readonly vault: boolean | null };
}

/** An eATA that is delegated already, and the deposit that would add to it. */
export interface DelegatedDeposit {
  readonly chain: Chain;
  readonly accounts: DepositAccounts;
  /** Whom the deposit names. */
  readonly validator: Address;
  readonly byShuttle: boolean;
  readonly delegated: Delegated;
}

/** What a deposit on one layout of the ephemeral token program has that one on the other has not. */
export interface DepositLayout {
  /** Whether native SOL is wrapped on the way, and the rent PDA looked at, which pays for shuttles. */
  readonly hasShuttles: boolean;
  /** Whether a deposit can set a permission anew that lets others read. */
  readonly resetsPermission: boolean;
  /** Bytes of the accounts a deposit may create, but for token accounts. */
  readonly bytes: { readonly eata: number; readonly vault: readonly number[] };
  /** What to do with initVaultIfMissing where the vault is missing. */
  readonly vaultMend: string;
  switchesOf(input: Omit<DepositInput, 'owner' | 'amount'>): DepositSwitches;
  /**
   * Refuses to add to an eATA that is delegated, where the program would.
   *
   * @throws {ServiceError} EATA_SETTLING, EATA_DELEGATED_ELSEWHERE, EATA_VALIDATOR_MISMATCH, EATA_ALREADY_DELEGATED,
   *   ACCOUNT_UNREADABLE.
   */
  requireAddable(deposit: DelegatedDeposit): Promise<void>;
  plan(plan: DepositPlan): Instruction[];
  /** What {@link plan} says, ready for a transaction. */
  write(plan: DepositPlan): Instructions;
}
