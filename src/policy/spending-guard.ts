import type { Clock } from '../ports/clock.ts';
import type { Table, Tables } from '../ports/tables.ts';
import { type Judgment, judgeSpending, type Past, shapeOf } from './judge-spending.ts';
import type { SpendingPolicy } from './policy.ts';
import { SOL, type Spending } from './spending.ts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** The outcome of a signed payment. `expired`: it was never sent, or can no longer land. */
export type SpendingOutcome = 'landed' | 'failed' | 'expired';

/** The amounts of an allowed payment, which count from before its signature. */
export interface Reservation {
  /**
   * Records the outcome. An expired payment no longer counts; of a failed one, only its lamports do. A
   * reservation without an outcome counts like a payment that landed. Repeated calls have no effect.
   */
  settle(outcome: SpendingOutcome): Promise<void>;
}

/** The verdict of a guard. An allowed payment is reserved. */
export type GuardVerdict =
  | (Extract<Judgment, { readonly kind: 'allow' }> & { readonly reservation: Reservation })
  | Exclude<Judgment, { readonly kind: 'allow' }>;

/** Judges payments by a policy, and reserves their amounts, so that parallel payments cannot exceed a cap. */
export class SpendingGuard {
  readonly #policy: SpendingPolicy;
  readonly #tables: Tables;
  readonly #clock: Clock;
  /** Base units by minute and mint (`29916666 SOL`), as text, because a sum can exceed a u64. */
  readonly #amounts: Table<string>;
  /** Recipients of payments that landed, by {@link shapeOf}. */
  readonly #recipients: Table<readonly string[]>;

  /** @param tables the store of earlier payments. Processes that share it share the caps. */
  constructor(policy: SpendingPolicy, tables: Tables, clock: Clock) {
    this.#policy = policy;
    this.#tables = tables;
    this.#clock = clock;
    this.#amounts = tables.open('policy amounts');
    this.#recipients = tables.open('policy recipients');
  }

  /**
   * Judges a payment, and reserves its amounts if it is allowed.
   *
   * @param isApproved whether a person has approved it. Caps and lists apply nevertheless.
   * @throws {Error} the system's error if the tables cannot be written. Nothing is then reserved.
   */
  reserve(spending: Spending, isApproved = false): Promise<GuardVerdict> {
    return this.#tables.change((): GuardVerdict => {
      const judgment = judgeSpending(this.#policy, spending, this.#past());
      if (judgment.kind === 'refuse' || (judgment.kind === 'ask' && !isApproved)) return judgment;
      const minute = this.#minute();
      for (const [key] of this.#amounts.entries()) {
        if (minute - minuteOf(key) > DAY_MINUTES) this.#amounts.remove(key);
      }
      for (const [mint, amount] of spending.amounts) this.#add(minute, mint, amount);
      const { cautions } = judgment;
      return { kind: 'allow', cautions, reservation: this.#reservation(minute, spending) };
    });
  }

  /** Judges a payment without reserving its amounts. */
  async judge(spending: Spending): Promise<Judgment> {
    return judgeSpending(this.#policy, spending, this.#past());
  }

  #reservation(minute: number, { amounts, recipients }: Spending): Reservation {
    let isSettled = false;
    return {
      settle: async (outcome) => {
        if (isSettled) return;
        isSettled = true;
        await this.#tables.change(() => {
          if (outcome === 'landed') for (const recipient of recipients) this.#remember(recipient);
          else
            for (const [mint, amount] of amounts) {
              // A failed transaction pays its fee.
              if (outcome === 'expired' || mint !== SOL) this.#add(minute, mint, -amount);
            }
        });
      },
    };
  }

  #minute(): number {
    return Math.floor(this.#clock.now() / MINUTE_MS);
  }

  #add(minute: number, mint: string, amount: bigint): void {
    const key = `${minute} ${mint}`;
    const known = this.#amounts.get(key);
    // The row of a refund may be too old to count.
    if (known !== undefined || amount > 0n) this.#amounts.put(key, String(BigInt(known ?? 0) + amount));
  }

  #remember(recipient: string): void {
    const known = this.#recipients.get(shapeOf(recipient)) ?? [];
    if (!known.includes(recipient)) this.#recipients.put(shapeOf(recipient), [...known, recipient]);
  }

  /** Sums the earlier payments. */
  #past(): Past {
    const [hour, day] = [new Map<string, bigint>(), new Map<string, bigint>()];
    const now = this.#minute();
    for (const [key, text] of this.#amounts.entries()) {
      const amount = BigInt(text);
      const mint = key.slice(key.indexOf(' ') + 1);
      const age = now - minuteOf(key);
      // The minute at the far end counts as a whole, so that no hour or day exceeds a cap.
      if (age <= DAY_MINUTES) day.set(mint, (day.get(mint) ?? 0n) + amount);
      if (age <= HOUR_MINUTES) hour.set(mint, (hour.get(mint) ?? 0n) + amount);
    }
    return { hour, day, resembling: (recipient) => this.#recipients.get(shapeOf(recipient)) ?? [] };
  }
}

const minuteOf = (key: string): number => Number(key.slice(0, key.indexOf(' ')));
