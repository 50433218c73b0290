import {
  array,
  assert,
  asyncProperty,
  constant,
  integer,
  oneof,
  type Scheduler,
  scheduler as schedulers,
} from 'fast-check';
import { expect, it } from 'vitest';
import { lengthOf } from '../../test/length.ts';
import { TableBudgetStore } from '../payments/fees/budget-store.ts';
import { silentLogger } from '../ports/logger.ts';
import { MemoryTables } from '../ports/tables.ts';
import type { Timer } from '../ports/timer.ts';
import { PaymentFollower } from '../settlement/payment-follower.ts';
import { type Payment, type PaymentStore, TablePaymentStore } from '../settlement/payment-store.ts';
import type { SettleResponse } from './settle-response.ts';
import { Settlement } from './settlement.ts';
import { verifiedOf } from './testing/verified-payments.ts';
import { type Draw, ScriptedLedger, wireOf } from '../settlement/testing/scripted-ledger.ts';
import type { VerifiedPayment } from './verified-payment.ts';

const RUNS = lengthOf({ short: 50, long: 1_000 });

const IDS = ['one', 'two', 'three'];

/** Height up to which the transactions can land: 18 s after the start. */
const LAST_VALID_HEIGHT = 45;

/** A process. It ends at any moment: its calls then never return. */
interface Life {
  readonly settlement: Settlement;
  isOver: boolean;
}

type Step = 'run' | 'wait' | 'long wait' | 'settle' | 'join' | 'hang up' | 'kill' | 'set clock back';

const steps = oneof(
  ...(
    [
      [40, 'run'],
      [12, 'wait'],
      [1, 'long wait'],
      [4, 'settle'],
      [2, 'join'],
      [1, 'hang up'],
      [1, 'kill'],
      [1, 'set clock back'],
    ] as const
  ).map(([weight, step]) => ({ weight, arbitrary: constant<Step>(step) })),
);

/** Two replicas with one store, one ledger and one scheduler of everything that they wait for. */
class World {
  readonly ledger: ScriptedLedger;
  readonly answers: { readonly id: string; readonly answer: SettleResponse }[] = [];
  readonly #scheduler: Scheduler;
  readonly #draw: Draw;
  readonly #tables = new MemoryTables();
  readonly #timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  readonly #hangUps: AbortController[] = [];
  readonly #lives: Life[];
  #clockMs = 1_700_000_000_000;
  #signedCount = 0;
  #isCalm = false;

  constructor(scheduler: Scheduler, draw: Draw) {
    this.#scheduler = scheduler;
    this.#draw = draw;
    this.ledger = new ScriptedLedger(draw, LAST_VALID_HEIGHT);
    this.#lives = [this.#start(), this.#start()];
  }

  async take(step: Step): Promise<void> {
    if (step === 'run') await this.#run();
    else if (step === 'wait') this.#pass(this.#draw(1_200));
    else if (step === 'long wait') this.#pass(5_000);
    else if (step === 'settle') this.#settle(this.#pick(IDS));
    else if (step === 'join') this.#join(this.#pick(IDS));
    else if (step === 'hang up') this.#hangUps.pop()?.abort();
    else if (step === 'kill') this.#kill(this.#draw(2));
    else this.#clockMs -= 60_000;
  }

  /** Lets the ledger answer honestly until all payments are final. */
  async calmDown(): Promise<readonly Payment[]> {
    this.ledger.isHonest = true;
    this.#isCalm = true;
    for (let second = 0; second < 300; second += 1) {
      await this.#scheduler.waitIdle();
      const payments = this.payments;
      if (payments.every(({ state }) => state !== 'signed')) return payments;
      this.#pass(1_000);
    }
    throw new Error('a payment stays pending although the ledger answers');
  }

  /** Settles each payment again, as resource servers do after `settlement_pending`. */
  async settleAgain(payments: readonly Payment[]): Promise<void> {
    for (const { id } of payments) this.#join(id);
    for (const _ of payments) await this.#scheduler.waitIdle();
  }

  get payments(): readonly Payment[] {
    return this.#tables
      .open<Payment>('payments')
      .entries()
      .map(([, payment]) => payment);
  }

  get clockMs(): number {
    return this.#clockMs;
  }

  #start(): Life {
    const timer: Timer = {
      after: (delayMs, run) => {
        const appointment = {
          dueMs: this.ledger.nowMs + delayMs,
          run: () => {
            if (!life.isOver) run();
          },
        };
        this.#timers.add(appointment);
        return () => void this.#timers.delete(appointment);
      },
    };
    const clock = { now: () => this.#clockMs };
    const store = new TablePaymentStore(this.#tables, clock);
    const budget = new TableBudgetStore(this.#tables, clock, 'facilitator');
    const follower = new PaymentFollower({
      payments: this.#through<PaymentStore>(() => life, store, true),
      ledgerOf: () => this.#through(() => life, this.ledger, false),
      clock,
      timer,
      logger: silentLogger,
    });
    const life: Life = {
      isOver: false,
      settlement: new Settlement({
        follower,
        budget: this.#through(() => life, budget, true),
        lamportsPerHour: 1_000_000n,
        policy: null,
        signer: {
          cosign: ({ id }) => {
            this.#signedCount += 1;
            return { wire: wireOf(id, this.#signedCount), signature: `signature-of-${id}` };
          },
        },
        clock,
        logger: silentLogger,
      }),
    };
    follower.start();
    return life;
  }

  /** Delays the calls of a port and their answers. A store may also fail, before or after it acts. */
  #through<Port extends object>(lifeOf: () => Life, port: Port, canFail: boolean): Port {
    return new Proxy(port, {
      get: (_, name) => {
        const method = Reflect.get(port, name, port) as unknown;
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          const life = lifeOf();
          await this.#deliver(life, canFail);
          const answer = await (method.apply(port, args) as Promise<unknown>).then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          );
          await this.#deliver(life, canFail);
          if ('error' in answer) throw answer.error;
          return answer.value;
        };
      },
    });
  }

  async #deliver(life: Life, canFail: boolean): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve());
    if (life.isOver) await new Promise(() => undefined);
    if (canFail && !this.#isCalm && this.#draw(12) === 0) throw new Error('the store is gone');
  }

  async #run(): Promise<void> {
    const tasks = 1 + this.#draw(12);
    for (let done = 0; done < tasks && this.#scheduler.count() > 0; done += 1)
      await this.#scheduler.waitNext(1);
  }

  #pass(ms: number): void {
    this.ledger.nowMs += ms;
    this.#clockMs += ms;
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= this.ledger.nowMs);
    for (const appointment of due) {
      this.#timers.delete(appointment);
      appointment.run();
    }
  }

  #settle(id: string): void {
    this.#ask(id, ({ settlement }, gone) => settlement.settle(verified(id), gone));
  }

  #join(id: string): void {
    this.#ask(id, async ({ settlement }, gone) => {
      const known = await settlement.find(id);
      return known === undefined ? undefined : await settlement.join(known, gone);
    });
  }

  #ask(id: string, ask: (life: Life, gone: AbortSignal) => Promise<SettleResponse | undefined>): void {
    const hangUp = new AbortController();
    this.#hangUps.push(hangUp);
    ask(this.#pick(this.#lives), hangUp.signal).then(
      (answer) => {
        if (answer !== undefined && !hangUp.signal.aborted) this.answers.push({ id, answer });
      },
      () => undefined,
    );
  }

  #kill(at: number): void {
    const life = this.#lives[at];
    if (life !== undefined) life.isOver = true;
    this.#lives[at] = this.#start();
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#draw(items.length)] as T;
  }
}

const verified = (id: string): VerifiedPayment => verifiedOf(id, { lastValidBlockHeight: LAST_VALID_HEIGHT });

/** Creates numbers from a seed (mulberry32). */
function drawFrom(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

it(
  'signs no payment twice, reports no outcome that the ledger does not have, and finishes every payment',
  { timeout: 120_000 },
  async () => {
    const kinds = new Map<string, number>();
    await assert(
      asyncProperty(
        schedulers(),
        array(steps, { minLength: 30, maxLength: 300, size: 'max' }),
        integer(),
        async (scheduler, taken, seed) => {
          const world = new World(scheduler, drawFrom(seed));
          for (const step of taken) await world.take(step);
          const early = world.payments;
          const payments = await world.calmDown();
          await world.settleAgain(payments);
          // Everything that can land has landed.
          world.ledger.nowMs += 3_600_000;
          for (const { id, state, signature } of payments) {
            const outcome = world.ledger.outcomeOf(signature);
            const truth = outcome === null ? 'expired' : outcome.err === null ? 'settled' : 'failed';
            expect(state, id).toBe(truth);
            kinds.set(state, (kinds.get(state) ?? 0) + 1);
          }
          for (const { id, state } of early) {
            if (state !== 'signed') expect(payments.find((each) => each.id === id)?.state).toBe(state);
          }
          const ids = [...world.ledger.received].map((wire) => wire.split(' ')[0]);
          expect(new Set(ids).size, 'different wires of one message').toBe(ids.length);
          for (const id of IDS) {
            const answers = world.answers.filter((each) => each.id === id).map(({ answer }) => answer);
            const state = payments.find((each) => each.id === id)?.state;
            expect(answers.filter(({ success }) => success).length, 'successes').toBeLessThanOrEqual(1);
            for (const { success, errorReason } of answers) {
              if (success || errorReason === 'duplicate_settlement') expect(state).toBe('settled');
              if (errorReason === 'invalid_exact_svm_transaction_failed') expect(state).toBe('failed');
              if (errorReason === 'invalid_transaction_state') expect(state).toBe('expired');
            }
          }
        },
      ),
      { numRuns: RUNS, seed: 1_234 },
    );
    expect([...kinds.keys()].sort()).toEqual(['expired', 'failed', 'settled']);
  },
);
