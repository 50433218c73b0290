import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { decodeDelegationActions } from '../../programs/delegation/delegation-actions.ts';
import { DELEGATION_RECORD_BYTES } from '../../programs/delegation/state.ts';
import type { Address } from '../../solana/address.ts';
import { BooksView } from '../books/books.ts';
import { rescueEntry } from '../books/entries.ts';
import type { OwnRunner } from '../execution/run-own.ts';
import { addressOfSubject, type Delegation, enter, leave } from './delegation.ts';
import type { Projections } from './projections.ts';

/** What {@link Arrivals} need. */
interface ArrivalsParts {
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'setOwnAccounts'>;
  readonly projections: Projections;
  readonly runner: Pick<OwnRunner, 'start'>;
  /** To whom the actions may be sealed. */
  readonly validator: Keypair;
  readonly timer: Timer;
  readonly logger: Logger;
  /** The delegation of an account as base has it now; null when there is none any more. */
  readonly read: (address: Address) => Delegation | null;
}

/** When actions that the rollup had no room for are tried again, ms. After the last one they have failed. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000];

/**
 * Takes in delegations that bring actions with them, each in one commit with everything its actions do: a
 * shuttle that is on the rollup has been unloaded. One whose actions fail is not taken in; the books then say
 * that it is to be sent back. Both are in the rollup's accounts, so that after a crash each is done once.
 *
 * Actions run on what both ledgers have at that moment, so that the same actions would fail again: they are
 * given up at once, and the owner has the tokens back on base as soon as base takes them. A full transfer
 * queue is no failure, as the program sends such a payment back itself. Only want of room on the rollup may
 * be over soon: what settles leaves.
 */
export class Arrivals {
  readonly #parts: ArrivalsParts;
  /** How to call off the retry of what waits for one. */
  readonly #waiting = new Map<Address, () => void>();

  constructor(parts: ArrivalsParts) {
    this.#parts = parts;
  }

  /** Whether a delegation is to be taken in here. */
  static hasActions({ record }: Delegation): boolean {
    return record.data.length > DELEGATION_RECORD_BYTES;
  }

  /**
   * Takes a delegation in, unless that is under way or was given up; resolves when what came of it is
   * durable.
   */
  async take(delegation: Delegation): Promise<void> {
    const address = addressOfSubject(delegation.subject);
    if (this.#waiting.has(address)) return;
    if (new BooksView(this.#parts.ledger.state()).rescueOf(address) !== null) return;
    await this.#try(delegation, RETRY_DELAYS_MS);
  }

  /** Calls all retries off. */
  close(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  /** What changes changes at once. */
  async #try(delegation: Delegation, [delayMs, ...later]: readonly number[]): Promise<void> {
    const { validator, runner, projections } = this.#parts;
    const { subject, record, entries } = delegation;
    const instructions = decodeDelegationActions(record.data, (sealed) => validator.openSealed(sealed));
    if (instructions === null) return await this.#giveUp(delegation, 'its actions cannot be read');
    enter(projections, subject);
    const { err, written } = runner.start(instructions, { first: entries });
    if (err === null) return await written;
    leave(projections, subject);
    if (delayMs === undefined || !isWantOfRoom(err)) await this.#giveUp(delegation, err);
    else this.#retryLater(addressOfSubject(subject), delayMs, later);
  }

  #retryLater(address: Address, delayMs: number, later: readonly number[]): void {
    const { timer, logger, read } = this.#parts;
    const cancel = timer.after(delayMs, () => {
      this.#waiting.delete(address);
      const delegation = read(address);
      if (delegation === null || !Arrivals.hasActions(delegation)) return;
      this.#try(delegation, later).catch((error: unknown) => {
        logger.error({ err: error }, 'the actions of a delegation could not be tried again');
      });
    });
    this.#waiting.set(address, cancel);
  }

  /** The error names no account: whose payment it is stays private. */
  async #giveUp({ subject }: Delegation, reason: TransactionError): Promise<void> {
    const { ledger, logger } = this.#parts;
    logger.error({ reason }, 'the actions of a delegation failed: what it carries is sent back');
    const text = typeof reason === 'string' ? reason : JSON.stringify(reason);
    await ledger.setOwnAccounts([rescueEntry({ account: addressOfSubject(subject), reason: text })]);
  }
}

/** Whether the rollup's accounts would have taken more bytes than they may. */
const isWantOfRoom = (err: TransactionError): boolean => err === 'WouldExceedAccountDataTotalLimit';
