import type { AccountView } from '../../ledger/state/accounts.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { VAULT_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Projection } from '../projection/projections.ts';
import type { MintClaims } from './claims.ts';
import { BackOff } from './jobs.ts';

/** A mint and the token program it belongs to. */
export type MintKeys = Pick<Projection, 'mint' | 'tokenProgram'>;

/** The amounts of a mint, in base units. */
export interface Books {
  /**
   * Base units in the vault beyond all claims. An eATA delegated to the rollup claims its amount there; any
   * other eATA claims its amount on base. Anyone can add to the vault; nothing may take from it.
   */
  readonly surplus: bigint;
  /**
   * Base units by which claims on base may grow. On layout A, this is the vault's amount minus the claims on
   * base. On layout B queues pay from the vault while the payers stay delegated. The base amounts of
   * delegated eATAs are then outdated, so the whole vault counts as room.
   */
  readonly room: bigint;
  /**
   * Nonzero gains of eATAs on the rollup since their last settlement, in base units. The value is valid until
   * the next change of an account.
   */
  readonly gains: ReadonlyMap<Address, bigint>;
}

/** The accounts of a mint are inconsistent, so nothing may be submitted. */
export class InconsistentBooks extends Error {
  override readonly name = 'InconsistentBooks';
}

/** Returns the account that holds the tokens of a mint's vault. */
export function vaultAtaOf({ mint, tokenProgram }: MintKeys): Address {
  return deriveAta(deriveVault(mint).address, mint, tokenProgram).address;
}

/**
 * Compares the claims of a mint's eATAs with its vault.
 *
 * @throws {InconsistentBooks} if the vault has less than the claims (on layout A also those on base), or if
 *   the vault or an amount on the rollup cannot be read.
 */
export function booksOf(keys: MintKeys, claims: MintClaims, base: Pick<AccountView, 'get'>): Books {
  if (!claims.isWhole) throw new InconsistentBooks('the amount of an eATA on the rollup cannot be read');
  const { onBase, gains } = claims;
  const owed = onBase + claims.gained;
  const vault = readVault(keys, base, owed > 0n || onBase > 0n);
  const claimed = hasQueues(keys, base) ? 0n : onBase;
  const missing = (owed > claimed ? owed : claimed) - vault;
  if (missing > 0n)
    throw new InconsistentBooks(`the vault on base has ${missing} base units less than it owes`);
  return { surplus: vault - owed, room: vault - claimed, gains };
}

/** Whether a mint has a vault of layout B, from which queues pay. */
function hasQueues({ mint }: MintKeys, base: Pick<AccountView, 'get'>): boolean {
  return base.get(deriveVault(mint).address)?.data.length === VAULT_BYTES_B;
}

function readVault(keys: MintKeys, base: Pick<AccountView, 'get'>, isNeeded: boolean): bigint {
  const account = base.get(vaultAtaOf(keys));
  const vault = account?.owner === keys.tokenProgram ? decodeTokenAccount(account.data) : null;
  if (vault === null && isNeeded) throw new InconsistentBooks('the vault on base cannot be read');
  return vault?.amount ?? 0n;
}

interface HaltedMintsParts {
  /** Halted mints, each with the reason; kept up to date. */
  readonly halted: Map<Address, string>;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Throws {@link InconsistentBooks} while the accounts of a mint are inconsistent. */
  readonly check: (mint: MintKeys) => void;
  /** Reports that a mint can be settled again. */
  readonly onReopened: () => void;
}

/** The mints that are not settled because their accounts on base are inconsistent. */
export class HaltedMints {
  readonly #parts: HaltedMintsParts;
  readonly #backOff: BackOff;
  readonly #mints = new Map<Address, MintKeys>();

  constructor(parts: HaltedMintsParts) {
    this.#parts = parts;
    this.#backOff = new BackOff(parts.timer, (mint) => this.#reopen(mint));
  }

  /** All halted mints, each with the reason. */
  get reasons(): ReadonlyMap<Address, string> {
    return this.#parts.halted;
  }

  has(mint: Address): boolean {
    return this.#parts.halted.has(mint);
  }

  /** Whether these mints may be settled: none is halted, and the accounts of each are consistent now. */
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

  /** Halts the settlement of a mint. */
  halt({ mint, tokenProgram }: MintKeys, error: unknown): void {
    const reason = reasonOf(error);
    this.#parts.halted.set(mint, reason);
    this.#mints.set(mint, { mint, tokenProgram });
    this.#backOff.hold(mint);
    this.#parts.logger.error(
      { mint, reason, ...(error instanceof InconsistentBooks ? {} : { err: error }) },
      'SETTLEMENT HALTED: this mint is not settled until its accounts on base are consistent',
    );
  }

  /** Resumes the mints whose accounts are consistent again. Call it after every event on base. */
  reconsider(): void {
    for (const mint of this.#mints.keys()) this.#reopen(mint);
  }

  close(): void {
    this.#backOff.close();
  }

  /** Resumes a mint if its accounts are consistent again. */
  #reopen(mint: Address): void {
    const keys = this.#mints.get(mint);
    if (keys === undefined) return;
    const { halted, logger, check, onReopened } = this.#parts;
    try {
      check(keys);
    } catch (error) {
      halted.set(mint, reasonOf(error));
      if (!this.#backOff.isHeld(mint)) this.#backOff.hold(mint);
      return;
    }
    this.#mints.delete(mint);
    this.#backOff.release(mint);
    halted.delete(mint);
    logger.info({ mint }, 'settlement of the mint resumed');
    onReopened();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof InconsistentBooks ? error.message : 'settling failed';
}
