import { readTokenAmount } from '../../ledger/state/accounts.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { setComputeUnitLimit } from '../../programs/compute-budget.ts';
import { deriveEphemeralBalance, deriveValidatorFeesVault } from '../../programs/delegation/pdas.ts';
import { callHandler } from '../../programs/delegation/table.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Intent, IntentAction } from '../books/items.ts';
import { eataAmount, type Projection } from '../projection/projections.ts';
import { planStep, type Step } from './batch.ts';
import type { Ledgers } from './claims.ts';
import { paidOutEntries, payoutsOf, projectionOfQueue } from './endings.ts';
import {
  type Commitment,
  commitmentInstructions,
  readDelegationState,
  type Signing,
  signSettlement,
} from './settlement-transaction.ts';
import type { MintKeys } from './solvency.ts';

interface IntentPlan {
  readonly commitments: readonly Commitment[];
}

/** The reason why an intent cannot be executed on the current state of the ledgers. */
interface Refusal {
  readonly refusal: string;
}

/**
 * Plans an intent. Returns a refusal if its accounts are no longer delegated or its queue lacks tokens, and
 * null if a required account cannot be read on base now.
 */
export function planIntent(intent: Intent, ledgers: Ledgers): IntentPlan | Refusal | null {
  const commitments: Commitment[] = [];
  for (const { eata, isUndelegation } of intent.commits) {
    const projection = ledgers.projections.ofEata(eata);
    if (projection === undefined) return { refusal: 'an account to commit is no longer delegated' };
    const step = planCommit(projection, isUndelegation, ledgers);
    if (step === null) return null;
    commitments.push(step);
  }
  for (const carrier of intent.lamports) {
    const commitment = planCarrier(carrier, ledgers);
    if (commitment === null) return null;
    commitments.push(commitment);
  }
  const isCovered = paidOutEntries(payoutsOf(intent), ledgers) !== null;
  return isCovered ? { commitments } : { refusal: 'the queue holds less than it must pay' };
}

/** Returns the mints whose vaults an intent affects. */
export function mintsOf(intent: Intent, projections: Ledgers['projections']): readonly MintKeys[] {
  const touched = [
    ...intent.commits.map(({ eata }) => projections.ofEata(eata)),
    ...payoutsOf(intent).map((payout) => projectionOfQueue(payout, projections)),
  ];
  const mints = new Map<Address, MintKeys>();
  for (const projection of touched) if (projection !== undefined) mints.set(projection.mint, projection);
  return [...mints.values()];
}

function planCommit(projection: Projection, isUndelegation: boolean, ledgers: Ledgers): Step | null {
  const { eata, ata } = projection;
  const onRollup = ledgers.rollup.get(ata);
  const onBase = eataAmount(ledgers.base.get(eata));
  if (onRollup === undefined || onBase === null) return null;
  return planStep(eata, readTokenAmount(onRollup.data) - onBase, isUndelegation, ledgers);
}

/** Plans the return of a carrier of lamports with its lamports on the rollup. */
function planCarrier(account: Address, { base, rollup }: Ledgers): Commitment | null {
  const state = readDelegationState(account, base);
  const carrier = rollup.get(account);
  if (state === null || carrier === undefined) return null;
  return { ...state, lamports: carrier.lamports, data: carrier.data, isUndelegation: true };
}

/**
 * Signs the base transaction of an intent: its compute budget, its commits, then its actions. It succeeds or
 * fails as a whole.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
export function signIntent(intent: Intent, { commitments }: IntentPlan, signing: Signing): Transaction {
  const validator = signing.validator.address;
  const instructions = [
    setComputeUnitLimit(unitsOf(intent, commitments)),
    ...commitments.flatMap((commitment) => commitmentInstructions(commitment, validator)),
    ...intent.actions.map((action) => callOf(action, intent.source, validator)),
  ];
  return signSettlement(instructions, signing);
}

/** Builds the call of an action. Its accounts do not sign; the delegation program signs for the escrow. */
function callOf(action: IntentAction, sourceProgram: Address, validator: Address): Instruction {
  const { program, escrowIndex, escrowAuthority, data, accounts } = action;
  return callHandler(
    {
      validator,
      validatorFeesVault: deriveValidatorFeesVault(validator).address,
      destinationProgram: program,
      sourceProgram,
      escrowAuthority,
      escrow: deriveEphemeralBalance(escrowAuthority, escrowIndex).address,
    },
    {
      escrowIndex,
      data,
      accounts: accounts.map(({ address, isWritable }) => ({ address, signer: false, writable: isWritable })),
    },
  );
}

/** Limit for each commit, finalize and undelegate (magicblock-validator 0.14.10, `ArgsTask`). */
const TASK_UNITS = 70_000;

/**
 * Limit for the other instructions, in compute units: setting the limit (150, Agave
 * `solana-compute-budget-program`), and the memo of 32 characters that makes the transaction unique (measured
 * at 287; a cluster may run a different version of the program).
 */
const EXTRA_UNITS = 10_000;

/** Returns the sum of all tasks, like MagicBlock's committor. Programs set the limits of their actions. */
function unitsOf({ actions }: Pick<Intent, 'actions'>, commitments: readonly Commitment[]): number {
  const tasks = commitments.reduce((sum, { isUndelegation }) => sum + (isUndelegation ? 3 : 2), 0);
  return actions.reduce((sum, { computeUnits }) => sum + computeUnits, tasks * TASK_UNITS + EXTRA_UNITS);
}

/**
 * Number of rejections after which accounts are returned without the actions of their intent. Including the
 * waits, this takes at least 15 s: long enough for temporary faults, such as an ATA that is being created,
 * but short for a waiting owner. No tokens are lost: anyone can empty a returned shuttle for its owner
 * (ephemeral SPL token program, tag 32).
 */
export const REFUSALS_MAX = 5;

/**
 * Counts how often base rejected the actions of intents. Actions can fail permanently: anyone can close a
 * shuttle that was delegated without actions, to an ATA that base does not have. The shuttle would then stay
 * frozen. The counts are in memory and start from zero after a restart.
 */
export class RefusedActions {
  readonly #counts = new Map<string, number>();

  /** Counts a transaction of an intent that base executed and that failed because of its actions. */
  note(intent: Intent, transaction: Transaction, err: TransactionError): void {
    if (!isOfActions(err, intent.actions.length, transaction)) return;
    this.#counts.set(keyOf(intent), this.#countOf(intent) + 1);
  }

  /** Whether base has rejected the actions of an intent. */
  has(intent: Intent): boolean {
    return this.#countOf(intent) > 0;
  }

  /**
   * Whether an intent must run without its actions from now on. Only intents that return eATAs can. An intent
   * that returns nothing has no purpose without actions, and only actions can empty a carrier of lamports.
   */
  isEnough({ commits, lamports, actions, ...intent }: Intent): boolean {
    if (actions.length === 0 || lamports.length > 0) return false;
    return commits.some(({ isUndelegation }) => isUndelegation) && this.#countOf(intent) >= REFUSALS_MAX;
  }

  /** Removes an intent that has ended. */
  forget(intent: Intent): void {
    this.#counts.delete(keyOf(intent));
  }

  #countOf(intent: Pick<Intent, 'id' | 'scheduledBy'>): number {
    return this.#counts.get(keyOf(intent)) ?? 0;
  }
}

const FEE_PAYER = 0;

/** Returns an intent's key, with its transaction, because ids restart from one after a rollup's reset. */
const keyOf = ({ id, scheduledBy }: Pick<Intent, 'id' | 'scheduledBy'>): string => `${id}/${scheduledBy}`;

/** Whether an error is about an action (actions precede the memo) or an account that only actions name. */
function isOfActions(err: TransactionError, actions: number, { instructions }: Transaction): boolean {
  if (typeof err === 'string') return false;
  const memo = instructions.length - 1;
  const isAction = (index: number): boolean => index >= memo - actions && index < memo;
  if ('InstructionError' in err) return isAction(err.InstructionError[0]);
  if (!('InsufficientFundsForRent' in err)) return false;
  const { account_index: account } = err.InsufficientFundsForRent;
  const naming = [...instructions.keys()].filter((index) => instructions[index]?.accounts.includes(account));
  return account !== FEE_PAYER && naming.length > 0 && naming.every(isAction);
}

/** Tag of `RefundOnFailure` of the ephemeral token program, the callback of a refund. */
const REFUND_ON_FAILURE = 209;

/**
 * Whether an intent refunds a sender whose payment failed. The program requests the refund a few times
 * without waiting and then gives up, so the rollup must retry it.
 */
export function isRefund({ source, callbacks }: Pick<Intent, 'source' | 'callbacks'>): boolean {
  return (
    source === EPHEMERAL_TOKEN_PROGRAM &&
    callbacks.some(
      ({ program, discriminator }) =>
        program === EPHEMERAL_TOKEN_PROGRAM && discriminator[0] === REFUND_ON_FAILURE,
    )
  );
}
