import type { TransactionError } from '../../ledger/transaction-error.ts';
import type { Timer } from '../../ports/timer.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Intent } from '../books/intent.ts';

/** A refusal counts if the first wait, or twice the one before, has passed since the last that counted. */
const WAIT_MS_MIN = 1_000;

/**
 * Times that base refuses the actions of an intent before what it gives back comes without them. With the
 * waits between them that is at least 15 s: enough for what passes by itself, as an ATA that is being made,
 * and short for an owner who waits. Nothing is lost by it: a shuttle that comes back with its tokens in it is
 * emptied by anybody, for its owner (ephemeral SPL token program, tag 32).
 */
export const REFUSALS_MAX = 5;

/**
 * Counts how often base refused the actions of intents. Anybody can have a shuttle closed that was delegated
 * without actions, towards an ATA that base does not have: the actions then fail for ever, and the shuttle
 * would stay frozen with them. Lives as long as the process, so that a restart counts from nothing.
 */
export class RefusedActions {
  readonly #timer: Timer;
  readonly #counts = new Map<string, number>();
  /** What ends the waits of those whose next refusal does not count yet. */
  readonly #waits = new Map<string, () => void>();

  constructor(timer: Timer) {
    this.#timer = timer;
  }

  /**
   * Notes that base ran an intent's transaction and it failed. One that is tried again sooner than it would
   * be by itself, as something else has changed on base, counts once.
   */
  note(intent: Intent, transaction: Transaction, err: TransactionError): void {
    if (!isOfActions(err, intent.actions.length, transaction)) return;
    const key = keyOf(intent);
    if (this.#waits.has(key)) return;
    const count = this.#countOf(intent) + 1;
    this.#counts.set(key, count);
    const waitMs = WAIT_MS_MIN * 2 ** (count - 1);
    this.#waits.set(
      key,
      this.#timer.after(waitMs, () => void this.#waits.delete(key)),
    );
  }

  /**
   * Whether an intent is to be carried out without its actions from now on: only one that gives eATAs back.
   * What gives nothing back has no meaning without them, and nobody but them empties a carrier of lamports.
   */
  isEnough({ commits, lamports, actions, ...intent }: Intent): boolean {
    if (actions.length === 0 || lamports.length > 0) return false;
    return commits.some(({ isUndelegation }) => isUndelegation) && this.#countOf(intent) >= REFUSALS_MAX;
  }

  /** Forgets an intent that has ended. */
  forget(intent: Intent): void {
    const key = keyOf(intent);
    this.#counts.delete(key);
    this.#waits.get(key)?.();
    this.#waits.delete(key);
  }

  /** Lets go of its timers. */
  close(): void {
    for (const cancel of this.#waits.values()) cancel();
    this.#waits.clear();
  }

  #countOf(intent: Pick<Intent, 'id' | 'scheduledBy'>): number {
    return this.#counts.get(keyOf(intent)) ?? 0;
  }
}

/** Index of the account that pays for a transaction, whatever its instructions name. */
const FEE_PAYER = 0;

/** A rollup that begins anew gives ids from one again. */
const keyOf = ({ id, scheduledBy }: Pick<Intent, 'id' | 'scheduledBy'>): string => `${id}/${scheduledBy}`;

/**
 * Whether it was an action that failed, which come last but for the memo; or an account that the actions
 * alone name, as one that would be left without the lamports for its rent.
 */
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
