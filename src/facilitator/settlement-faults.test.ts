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
import { PaymentFollower } from '../settlement/payment-follower.ts';
import { type Payment, type PaymentStore, TablePaymentStore } from '../settlement/payment-store.ts';
import type { SettleResponse } from './settle-response.ts';
import { Settlement } from './settlement.ts';
import { verifiedOf } from './testing/verified-payments.ts';
import { drawFrom, FaultyProcesses, type Life } from '../settlement/testing/faulty-processes.ts';
import { type Draw, ScriptedLedger } from '../settlement/testing/scripted-ledger.ts';
import type { VerifiedPayment } from './verified-payment.ts';

const RUNS = lengthOf({ short: 50, long: 1_000 });

const IDS = ['one', 'two', 'three'];

/** Height up to which the transactions can land: 18 s after the start. */
const LAST_VALID_HEIGHT = 45;

interface Replica extends Life {
  readonly settlement: Settlement;
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
  readonly processes: FaultyProcesses;
  readonly ledger: ScriptedLedger;
  readonly answers: { readonly id: string; readonly answer: SettleResponse }[] = [];
  readonly #draw: Draw;
  readonly #tables = new MemoryTables();
  readonly #hangUps: AbortController[] = [];
  readonly #replicas: Replica[];
  #signedCount = 0;

  constructor(scheduler: Scheduler, draw: Draw) {
    this.#draw = draw;
    this.processes = new FaultyProcesses(scheduler, draw);
    this.ledger = new ScriptedLedger('base', draw, () => this.processes.nowMs, readWire);
    this.#replicas = [this.#start(), this.#start()];
  }

  async take(step: Step): Promise<void> {
    const { processes } = this;
    if (step === 'run') await processes.run();
    else if (step === 'wait') processes.pass(this.#draw(1_200));
    else if (step === 'long wait') processes.pass(5_000);
    else if (step === 'settle') this.#settle(processes.pick(IDS));
    else if (step === 'join') this.#join(processes.pick(IDS));
    else if (step === 'hang up') this.#hangUps.pop()?.abort();
    else if (step === 'kill') this.#kill(this.#draw(2));
    else processes.setClockBack(60_000);
  }

  /** Lets the ledger answer honestly until all payments are final. */
  async calmDown(): Promise<readonly Payment[]> {
    this.ledger.isHonest = true;
    this.processes.isCalm = true;
    for (let second = 0; second < 300; second += 1) {
      await this.processes.waitIdle();
      const payments = this.payments;
      if (payments.every(({ state }) => state !== 'signed')) return payments;
      this.processes.pass(1_000);
    }
    throw new Error('a payment stays pending although the ledger answers');
  }

  /** Settles each payment again, as resource servers do after `settlement_pending`. */
  async settleAgain(payments: readonly Payment[]): Promise<void> {
    for (const { id } of payments) this.#join(id);
    for (const _ of payments) await this.processes.waitIdle();
  }

  get payments(): readonly Payment[] {
    return this.#tables
      .open<Payment>('payments')
      .entries()
      .map(([, payment]) => payment);
  }

  #start(): Replica {
    const { processes } = this;
    const { clock } = processes;
    const life: Life = { isOver: false };
    const follower = new PaymentFollower({
      payments: processes.through<PaymentStore>(life, new TablePaymentStore(this.#tables, clock), true),
      ledgerOf: () => processes.through(life, this.ledger, false),
      clock,
      timer: processes.timerOf(life),
      logger: silentLogger,
    });
    const settlement = new Settlement({
      follower,
      budget: processes.through(life, new TableBudgetStore(this.#tables, clock, 'facilitator'), true),
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
    });
    follower.start();
    return Object.assign(life, { settlement });
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

  #ask(id: string, ask: (replica: Replica, gone: AbortSignal) => Promise<SettleResponse | undefined>): void {
    const hangUp = new AbortController();
    this.#hangUps.push(hangUp);
    ask(this.processes.pick(this.#replicas), hangUp.signal).then(
      (answer) => {
        if (answer !== undefined && !hangUp.signal.aborted) this.answers.push({ id, answer });
      },
      () => undefined,
    );
  }

  #kill(at: number): void {
    const replica = this.#replicas[at];
    if (replica !== undefined) replica.isOver = true;
    this.#replicas[at] = this.#start();
  }
}

/** Returns the bytes of a signed transaction. A second signature would change them. */
const wireOf = (id: string, count: number): Uint8Array => Buffer.from(`signature-of-${id} ${count}`);

const readWire = (wire: Uint8Array) => ({
  signature: Buffer.from(wire).toString().split(' ')[0] ?? '',
  lastValidHeight: LAST_VALID_HEIGHT,
});

const verified = (id: string): VerifiedPayment => verifiedOf(id, { lastValidBlockHeight: LAST_VALID_HEIGHT });

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
          world.processes.pass(3_600_000);
          for (const { id, state, signature } of payments) {
            const outcome = world.ledger.outcomeOf(signature);
            const truth = outcome === null ? 'expired' : outcome.err === null ? 'settled' : 'failed';
            expect(state, id).toBe(truth);
            kinds.set(state, (kinds.get(state) ?? 0) + 1);
          }
          for (const { id, state } of early) {
            if (state !== 'signed') expect(payments.find((each) => each.id === id)?.state).toBe(state);
          }
          const ids = [...world.ledger.received.values()];
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
