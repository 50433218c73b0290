import type { RollupContext } from '../rollup-context.ts';
import { DELEGATION_RECORD_BYTES } from '../../programs/delegation/state.ts';
import { itemEntry } from '../books/item.ts';
import { RESCUE } from '../books/items.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { decodeDelegationActions } from '../../programs/delegation/delegation-actions.ts';
import { deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import {
  ensureTransferQueueCrank,
  decodeTransferQueue,
} from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import type { Address } from '../../solana/address.ts';
import { BooksView } from '../books/books.ts';
import { addressOfSubject, type Delegation, addDelegated, removeDelegated } from './delegation.ts';

interface ArrivalsParts extends RollupContext {
  /** The current delegation of an account on base; null if it has ended. */
  readonly read: (address: Address) => Delegation | null;
}

/**
 * Delays before actions are retried when the rollup had no room for them, ms. After the last retry they have
 * failed.
 */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000];

/**
 * Accepts delegations with actions. A delegation and all effects of its actions are one commit, so a shuttle
 * that is on the rollup has been unloaded. If the actions fail, the delegation is not accepted, and the books
 * record that it must be returned. Both states are in the rollup's accounts, so a crash repeats neither.
 *
 * The actions run on the current state of both ledgers. The same actions would fail again, so they are
 * abandoned after the first failure and the owner gets the tokens back on base. A full transfer queue is not
 * a failure, because the program itself returns such a payment. Only a lack of room on the rollup can be
 * temporary, because settlements free space.
 */
export class Arrivals {
  readonly #parts: ArrivalsParts;
  /** Cancels the retry of each waiting delegation. */
  readonly #waiting = new Map<Address, () => void>();

  constructor(parts: ArrivalsParts) {
    this.#parts = parts;
  }

  /** Whether a delegation must be accepted here. */
  static hasActions({ record }: Delegation): boolean {
    return record.data.length > DELEGATION_RECORD_BYTES;
  }

  /**
   * Accepts a delegation, unless this is in progress or was abandoned. Resolves when the result is durable.
   */
  async take(delegation: Delegation): Promise<void> {
    const address = addressOfSubject(delegation.subject);
    if (this.#waiting.has(address)) return;
    if (new BooksView(this.#parts.ledger.state()).rescueOf(address) !== null) return;
    await this.#try(delegation, RETRY_DELAYS_MS);
  }

  /** Cancels all retries. */
  close(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  /** Changes the accounts before it returns its promise. */
  async #try(delegation: Delegation, [delayMs, ...later]: readonly number[]): Promise<void> {
    const { validator, runner, projections } = this.#parts;
    const { subject, record, entries } = delegation;
    const instructions = decodeDelegationActions(record.data, (sealed) => validator.openSealed(sealed));
    if (instructions === null) return await this.#abandon(delegation, 'its actions cannot be read');
    addDelegated(projections, subject);
    const { err, written } = runner.start(instructions, { first: entries });
    if (err === null) return await written;
    removeDelegated(projections, subject);
    if (delayMs === undefined || !isWantOfRoom(err)) await this.#abandon(delegation, err);
    else this.#retryLater(addressOfSubject(subject), delayMs, later);
  }

  #retryLater(address: Address, delayMs: number, later: readonly number[]): void {
    const { timer, logger, read } = this.#parts;
    const cancel = timer.after(delayMs, () => {
      this.#waiting.delete(address);
      const delegation = read(address);
      if (delegation === null || !Arrivals.hasActions(delegation)) return;
      this.#try(delegation, later).catch((error: unknown) => {
        logger.error({ err: error }, 'the actions of a delegation could not be retried');
      });
    });
    this.#waiting.set(address, cancel);
  }

  /** The log entry names no account, because the owner of a payment is private. */
  async #abandon({ subject }: Delegation, reason: TransactionError): Promise<void> {
    const { ledger, logger } = this.#parts;
    logger.error({ reason }, 'the actions of a delegation failed: its tokens are returned');
    const text = typeof reason === 'string' ? reason : JSON.stringify(reason);
    await ledger.setOwnAccounts([
      itemEntry(RESCUE, { account: addressOfSubject(subject), reason: text, signature: null }),
    ]);
  }
}

/** Whether the rollup's accounts would exceed their maximum size. */
const isWantOfRoom = (err: TransactionError): boolean => err === 'WouldExceedAccountDataTotalLimit';

/**
 * Schedules the task that pays out a transfer queue, if the account at `address` is a queue without one. The
 * rollup does this by itself for its queues. Resolves when it is durable.
 */
export async function ensureCrank(address: Address, context: RollupContext): Promise<void> {
  const { ledger, runner, validator, logger } = context;
  const account = ledger.state().get(address);
  const queue = account === undefined ? null : decodeTransferQueue(account.data);
  if (queue === null || queue.crankTaskId !== null) return;
  const magicFeeVault = deriveMagicFeeVault(validator.address).address;
  const { err, written } = runner.start([
    ensureTransferQueueCrank({ payer: validator.address, queue: address, magicFeeVault }),
  ]);
  if (err !== null)
    logger.error(
      { mint: queue.mint, reason: err },
      'a transfer queue is not paid out: its task was rejected',
    );
  await written;
}
