import { assertInvariant } from '../../errors/assert-invariant.ts';
import { failureFields } from '../../errors/failure-fields.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { LedgerClient } from '../../chain/chain.ts';
import { FINAL_BLOCKS } from '../../chain/final-blocks.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { CompiledMessage } from '../../solana/message.ts';
import type { BudgetStore, SpendingVerdict, Spent } from './budget-store.ts';

/** Cost of a transaction for its sponsor, and the ledger where it can land. */
export interface SponsoredTransaction {
  /** Maximum cost for the sponsor, in lamports. */
  readonly lamports: bigint;
  /** The requesting client, as identified by the rate limits; undefined if there is only one caller. */
  readonly client: string | undefined;
  readonly ledger: Pick<LedgerClient, 'blockHeight' | 'signatureStatus'>;
  /** The last block height at which the transaction can land. */
  readonly lastValidBlockHeight: number;
}

/** Payer of gasless transfers, with a key from the operator. Only the creator of this object has the key. */
export interface Sponsor {
  readonly address: Address;
  /** Mints accepted for the fee on a custom network. Default: none. */
  readonly customMints?: readonly Address[];
  /**
   * Signs a transaction's message with the sponsor's ed25519 key, and returns 64 bytes.
   *
   * @throws {ServiceError} SPONSOR_UNAVAILABLE if the sponsor has reached its spending limit.
   */
  cosign(message: Uint8Array, transaction: SponsoredTransaction): Promise<Uint8Array>;
}

/**
 * Adds the sponsor's signature to an unsigned transaction. The result is checked again, because anyone can
 * request it: the sponsor pays the fee and creates accounts, someone else signs too, and none of the
 * sponsor's tokens move.
 *
 * @throws {ServiceError} SPONSOR_UNAVAILABLE if the sponsor has reached its spending limit.
 */
export async function cosign(
  wire: Uint8Array,
  { signers, bytes }: CompiledMessage,
  instructions: readonly Instruction[],
  sponsor: Sponsor,
  transaction: SponsoredTransaction,
): Promise<void> {
  const { address } = sponsor;
  assertInvariant(signers[0] === address, 'a sponsor signs only if it pays the fee');
  assertInvariant(signers.length > 1, 'a sponsor signs only if someone else signs too');
  const movesOwn = instructions.some(
    ({ programId, accounts }) =>
      isTokenProgram(programId) && accounts.some((account) => account.address === address),
  );
  assertInvariant(!movesOwn, 'a sponsor signs no token instruction that names it');
  // The signatures follow their count, and the fee payer's is the first.
  wire.set(await sponsor.cosign(bytes, transaction), 1);
}

const HOUR_MS = 3_600_000;

/** Interval between checks for expired transactions, in ms. */
const CHECK_MS = 2_000;

const CHECKED_AT_ONCE = 20;

/** Maximum number of transactions that a process checks for expiry. Others count for the whole hour. */
const UNSETTLED_MAX = 1_000;

/**
 * Blocks after the last valid block height during which a missing status proves that a transaction has not
 * landed. A node keeps the statuses of 300 blocks (Agave `MAX_RECENT_BLOCKHASHES`), and the transaction can
 * be in the last 150 of its lifetime. The remaining 50 are for nodes that are ahead.
 */
export const STATUS_BLOCKS = 100;

/** A transaction signed by this process that may still expire. */
interface Unsettled extends SponsoredTransaction {
  /** The sponsor's signature, base58, which is also the transaction's signature. */
  readonly signature: string;
  readonly spent: Spent;
}

/**
 * Hourly spending limit of a sponsor, shared by all processes that sign for it. A signed transaction counts
 * at its maximum cost. The cost is refunded if the transaction expires without landing. There is no refund if
 * the ledger cannot confirm that, or if the signing process has ended.
 */
export class SponsorBudget {
  readonly #ports: { readonly timer: Timer; readonly logger: Logger };
  readonly #store: BudgetStore;
  readonly #limit: bigint;
  readonly #unsettled = new Map<string, Unsettled>();
  #isChecking = false;
  #hasWarned = false;

  /** @param lamportsPerHour the limit for all transactions together. */
  constructor(
    ports: { readonly timer: Timer; readonly logger: Logger },
    store: BudgetStore,
    lamportsPerHour: bigint,
  ) {
    this.#ports = ports;
    this.#store = store;
    this.#limit = lamportsPerHour;
  }

  /**
   * Returns the lamports spent in the last hour, and the limit.
   *
   * @throws {Error} the error of the store.
   */
  async figures(): Promise<{ readonly spent: bigint; readonly limit: bigint }> {
    return { spent: await this.#store.spent(), limit: this.#limit };
  }

  /**
   * Spends the maximum cost of a transaction, once per transaction.
   *
   * @throws {ServiceError} SPONSOR_UNAVAILABLE if it exceeds the budget or the client's share of it, or if
   *   the budget cannot be written.
   */
  async spend(signature: string, transaction: SponsoredTransaction): Promise<void> {
    const { lamports, client = '' } = transaction;
    if (lamports === 0n || this.#unsettled.has(signature)) return;
    let verdict: SpendingVerdict;
    try {
      verdict = await this.#store.spend({ lamports, client }, this.#limit);
    } catch (error) {
      this.#ports.logger.error(failureFields(error), 'the budget of the sponsor cannot be written');
      throw unavailable('The sponsor of gasless transfers currently cannot sign; try again later');
    }
    if (typeof verdict === 'string') {
      const who = verdict === 'exhausted' ? 'all callers' : 'one caller';
      if (verdict === 'exhausted') this.#warn();
      throw unavailable(
        `The sponsor of gasless transfers has reached its hourly limit for ${who}; try again later, or leave out gasless to have the sender pay the lamports`,
      );
    }
    if (this.#unsettled.size >= UNSETTLED_MAX) return;
    this.#unsettled.set(signature, { ...transaction, signature, spent: verdict });
    this.#checkLater();
  }

  /** Logs that the budget is exhausted, at most once an hour. */
  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#ports.timer.after(HOUR_MS, () => void (this.#hasWarned = false));
    this.#ports.logger.warn(
      { limit: String(this.#limit) },
      'the sponsor of gasless transfers has reached its hourly limit (lamports)',
    );
  }

  #checkLater(): void {
    if (this.#isChecking || this.#unsettled.size === 0) return;
    this.#isChecking = true;
    this.#ports.timer.after(CHECK_MS, () => void this.#check());
  }

  async #check(): Promise<void> {
    const all = [...this.#unsettled.values()];
    const ledgers = [...new Set(all.map(({ ledger }) => ledger))];
    await Promise.all(
      ledgers.map((ledger) =>
        this.#settle(
          ledger,
          all.filter((one) => one.ledger === ledger),
        ),
      ),
    );
    this.#isChecking = false;
    this.#checkLater();
  }

  /** Settles the transactions whose outcome is known. Settles none if the ledger cannot be read. */
  async #settle(ledger: Unsettled['ledger'], transactions: readonly Unsettled[]): Promise<void> {
    try {
      const height = await ledger.blockHeight();
      const due = transactions.filter((one) => height > one.lastValidBlockHeight + FINAL_BLOCKS);
      for (let from = 0; from < due.length; from += CHECKED_AT_ONCE) {
        const checked = due.slice(from, from + CHECKED_AT_ONCE);
        const statuses = await Promise.all(checked.map((one) => ledger.signatureStatus(one.signature)));
        // The node may have dropped statuses since the first read of the height.
        const after = await ledger.blockHeight();
        for (const [index, one] of checked.entries()) {
          const isKnown = after <= one.lastValidBlockHeight + STATUS_BLOCKS;
          // A refund that fails may have been made, so it is not repeated.
          this.#unsettled.delete(one.signature);
          if (statuses[index] === null && isKnown) await this.#store.refund(one.spent);
        }
      }
    } catch (error) {
      if (isServiceError(error)) return;
      this.#ports.logger.error({ err: error }, 'the outcome of sponsored transactions could not be read');
    }
  }
}

const unavailable = (message: string): ServiceError =>
  new ServiceError('SPONSOR_UNAVAILABLE', message, { field: 'gasless' });
