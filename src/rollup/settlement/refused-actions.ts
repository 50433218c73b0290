import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Intent } from '../books/items.ts';

/**
 * Number of rejections after which accounts are returned without the actions of their intent. With the waits
 * between retries this takes at least 15 s. That covers temporary faults, such as an ATA that is being
 * created, and is short for a waiting owner. No tokens are lost: anyone can empty a returned shuttle for its
 * owner (ephemeral SPL token program, tag 32).
 */
export const REFUSALS_MAX = 5;

/**
 * Counts how often base rejected the actions of intents. Anyone can close a shuttle that was delegated
 * without actions, towards an ATA that base does not have. The actions then always fail, and the shuttle
 * would stay frozen. The counts are in memory and start from zero after a restart.
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
   * Whether an intent must be executed without its actions from now on. Only intents that return eATAs can
   * be. An intent that returns nothing is pointless without its actions, and a carrier of lamports is emptied
   * by them alone.
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

/** Index of the fee payer. */
const FEE_PAYER = 0;

/** Ids start from one again after a reset of the rollup. */
const keyOf = ({ id, scheduledBy }: Pick<Intent, 'id' | 'scheduledBy'>): string => `${id}/${scheduledBy}`;

/**
 * Whether an action failed, based on its index (the actions come last, before the memo); or an account that
 * only actions name, such as one that would lack lamports for its rent.
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
