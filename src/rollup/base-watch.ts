import type { RollupContext } from './rollup-context.ts';
import type { AccountEntry } from '../ledger/genesis/genesis.ts';
import type { LedgerListener } from '../ledger/ledger-events.ts';
import { baseGenesisHashOf } from './books/item.ts';
import { Pairing } from './pairing.ts';
import type { BaseFollower } from './projection/base-follower.ts';
import type { Settlement } from './settlement/settlement.ts';
import { admitValidator } from './validator-accounts.ts';

interface BaseWatchParts extends RollupContext {
  /** Accounts the validator needs on base in addition to those that admit it. */
  readonly baseAccounts: readonly AccountEntry[];
  readonly follower: BaseFollower;
  readonly settlement: Pick<Settlement, 'reconsider'>;
}

/**
 * Forwards the events of base to the rollup, and resets the rollup if base is no longer the ledger its books
 * belong to.
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
   * Brings the rollup up to date with base, then follows base.
   *
   * @throws {ServiceError} LEDGER_DAMAGED if the rollup belongs to another ledger, or to another point in
   *   time.
   */
  async start(): Promise<void> {
    const { base, follower } = this.#parts;
    this.#pairing.assertTogether();
    if (this.#isOfAnotherBase()) await this.#startOver();
    else await this.#admit();
    follower.catchUp();
    this.#stopListening = base.subscribe((event) => this.#follow(event));
    // Only now, because this changes the books, which triggers settlement.
    await this.#pairing.storeStart();
  }

  /** Resolves when every event of base so far is durable in the rollup. */
  async followed(): Promise<void> {
    await this.#startingOver;
    await this.#parts.follower.written;
  }

  stop(): void {
    this.#stopListening();
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
      .then(() => this.#pairing.storeStart())
      .catch((error: unknown) => logger.error({ err: error }, 'the rollup could not be reset'))
      .finally(() => {
        this.#startingOver = null;
      });
  }

  async #startOver(): Promise<void> {
    const { ledger, follower } = this.#parts;
    // Base can be reset again in the meantime.
    while (this.#isOfAnotherBase()) {
      follower.dropAll();
      await ledger.resetLedger();
    }
    await this.#admit();
    follower.catchUpWithTold();
  }

  /** A base ledger that was reset has none of the validator's accounts. */
  async #admit(): Promise<void> {
    const { base, validator, baseAccounts } = this.#parts;
    await admitValidator(base, validator.address, baseAccounts);
  }
}
