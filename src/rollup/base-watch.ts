import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { AccountEntry } from '../ledger/genesis/genesis.ts';
import type { Keypair } from '../ledger/keypair.ts';
import type { LedgerListener } from '../ledger/ledger-events.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { BaseLedger } from './base-ledger.ts';
import { baseGenesisHashOf } from './books/header.ts';
import { Pairing } from './pairing.ts';
import type { BaseFollower } from './projection/base-follower.ts';
import type { Settlement } from './settlement/settlement.ts';
import { admitValidator } from './validator-accounts.ts';

/** What a {@link BaseWatch} needs. */
interface BaseWatchParts {
  readonly base: BaseLedger;
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'hasFailed' | 'resetLedger' | 'setOwnAccounts'>;
  readonly validator: Keypair;
  /** What base has for the validator besides what admits it. */
  readonly baseAccounts: readonly AccountEntry[];
  readonly follower: BaseFollower;
  readonly settlement: Pick<Settlement, 'reconsider'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Hands the events of base on to those who follow it, and begins the rollup anew when base is another ledger
 * than the one its books are for.
 */
export class BaseWatch {
  readonly #parts: BaseWatchParts;
  readonly #pairing: Pairing;
  #startingOver: Promise<void> | null = null;
  #stopListening: () => void = () => {};

  constructor(parts: BaseWatchParts) {
    this.#parts = parts;
    this.#pairing = new Pairing(parts);
  }

  /**
   * Brings the rollup to what base is now, then follows it.
   *
   * @throws {ServiceError} LEDGER_DAMAGED where it is the rollup of another ledger, or of another moment.
   */
  async start(): Promise<void> {
    const { base, follower } = this.#parts;
    this.#pairing.assertTogether();
    if (this.#isOfAnotherBase()) await this.#startOver();
    else await this.#admit();
    follower.catchUp();
    this.#stopListening = base.subscribe((event) => this.#follow(event));
    // Not before: it changes the books, upon which settlement acts.
    await this.#pairing.keepStart();
  }

  /** Resolves once everything that happened on base is durable here. */
  async followed(): Promise<void> {
    await this.#startingOver;
    await this.#parts.follower.written;
  }

  stop(): void {
    this.#stopListening();
    this.#parts.follower.close();
  }

  #isOfAnotherBase(): boolean {
    const { base, ledger } = this.#parts;
    return baseGenesisHashOf(ledger.state()) !== base.genesisHash;
  }

  #follow(event: Parameters<LedgerListener>[0]): void {
    const { ledger, follower, settlement, logger } = this.#parts;
    if (ledger.hasFailed) return;
    if (!this.#isOfAnotherBase()) {
      follower.follow(event);
      settlement.reconsider(event);
      return;
    }
    this.#startingOver ??= this.#startOver()
      .then(() => this.#pairing.keepStart())
      .catch((error: unknown) => logger.error({ err: error }, 'the rollup could not begin anew'))
      .finally(() => {
        this.#startingOver = null;
      });
  }

  async #startOver(): Promise<void> {
    const { ledger, follower } = this.#parts;
    // Base can be reset again before this is done.
    while (this.#isOfAnotherBase()) {
      follower.dropAll();
      await ledger.resetLedger();
    }
    await this.#admit();
    follower.catchUpWithTold();
  }

  /** A base ledger that was reset has nothing of the validator's. */
  async #admit(): Promise<void> {
    const { base, validator, baseAccounts } = this.#parts;
    await admitValidator(base, validator.address, baseAccounts);
  }
}
