import type { LedgerListener } from '../../ledger/ledger-events.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import type { Address } from '../../solana/address.ts';
import { BackOff } from './back-off.ts';
import { Doubt, vaultAtaOf, type MintKeys } from './solvency.ts';

type BaseEvent = Parameters<LedgerListener>[0];

/** What {@link HaltedMints} needs. */
interface HaltedMintsParts {
  /** Mints that are halted, with the reason; kept up to date. */
  readonly halted: Map<Address, string>;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Adds up a mint's books; throws {@link Doubt} as long as they do not agree. */
  readonly check: (mint: MintKeys) => void;
  /** Told when something can be settled again. */
  readonly onReopened: () => void;
}

/** A halted mint, and the vault account whose change may resume it. */
interface HaltedMint extends MintKeys {
  readonly vaultAta: Address;
}

/** The mints of which nothing is settled, because their accounts on base do not add up. */
export class HaltedMints {
  readonly #parts: HaltedMintsParts;
  readonly #doubted: BackOff;
  readonly #mints = new Map<Address, HaltedMint>();

  constructor(parts: HaltedMintsParts) {
    this.#parts = parts;
    this.#doubted = new BackOff(parts.timer, (mint) => this.#reopen(mint));
  }

  /** Every halted mint, with the reason. */
  get reasons(): ReadonlyMap<Address, string> {
    return this.#parts.halted;
  }

  get size(): number {
    return this.#mints.size;
  }

  has(mint: Address): boolean {
    return this.#parts.halted.has(mint);
  }

  /** Whether something may be settled of these mints: none is halted, and the books of each add up now. */
  admits(mints: readonly MintKeys[]): boolean {
    return mints.every((keys) => {
      if (this.has(keys.mint)) return false;
      try {
        this.#parts.check(keys);
        return true;
      } catch (error) {
        this.halt(keys, error);
        return false;
      }
    });
  }

  /** Stops what is settled of a mint. */
  halt({ mint, tokenProgram }: MintKeys, error: unknown): void {
    const reason = reasonOf(error);
    this.#parts.halted.set(mint, reason);
    this.#mints.set(mint, { mint, tokenProgram, vaultAta: vaultAtaOf({ mint, tokenProgram }) });
    this.#doubted.hold(mint);
    this.#parts.logger.error(
      { mint, reason, ...(error instanceof Doubt ? {} : { err: error }) },
      'SETTLEMENT HALTED: nothing of this mint is settled until its accounts on base are in order',
    );
  }

  /** Resumes the mints that an event on base may have put in order. */
  reconsider(event: BaseEvent): void {
    for (const [mint, { vaultAta }] of this.#mints) {
      const isOfMint = event.changes.some(({ address }) => address === vaultAta);
      if (event.kind === 'accounts' || isOfMint) this.#reopen(mint);
    }
  }

  close(): void {
    this.#doubted.close();
  }

  /** Resumes a mint once its accounts add up again. */
  #reopen(mint: Address): void {
    const keys = this.#mints.get(mint);
    if (keys === undefined) return;
    const { halted, logger, check, onReopened } = this.#parts;
    try {
      check(keys);
    } catch (error) {
      halted.set(mint, reasonOf(error));
      if (!this.#doubted.isHeld(mint)) this.#doubted.hold(mint);
      return;
    }
    this.#mints.delete(mint);
    this.#doubted.release(mint);
    halted.delete(mint);
    logger.info({ mint }, 'settlement of the mint goes on');
    onReopened();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Doubt ? error.message : 'settling failed';
}
