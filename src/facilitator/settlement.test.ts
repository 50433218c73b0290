import { describe, expect, it } from 'vitest';
import type { SignatureStatus } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { TableBudgetStore } from '../payments/fees/budget-store.ts';
import { FINAL_BLOCKS } from '../chain/final-blocks.ts';
import { type Logger, silentLogger } from '../ports/logger.ts';
import { MemoryTables } from '../ports/tables.ts';
import { HandTimer } from '../ports/testing/hand-timer.ts';
import { PaymentFollower, type SettlementLedger } from '../settlement/payment-follower.ts';
import { TablePaymentStore } from '../settlement/payment-store.ts';
import { paymentOf } from '../settlement/testing/payments.ts';
import type { SettleResponse } from './settle-response.ts';
import { Settlement } from './settlement.ts';
import { verifiedOf } from './testing/verified-payments.ts';

const LANDED: SignatureStatus = { slot: 7, err: null };

/** The last block height of the payments here, and one at which a missing status is proof. */
const LAST = 150;
const PROVEN = LAST + FINAL_BLOCKS + 1;

const SECOND_MS = 1_000;
const WAIT_MS = 12_000;

const PRESENT = new AbortController().signal;

class Scene {
  readonly timer = new HandTimer();
  readonly tables = new MemoryTables();
  readonly payments = new TablePaymentStore(this.tables, this.timer);
  readonly budget = new TableBudgetStore(this.tables, this.timer, 'facilitator');
  readonly sent: string[] = [];
  readonly errors: string[] = [];
  signedCount = 0;
  /** The statuses that the cache of the node has, and those that its history has. */
  status: SignatureStatus | null = null;
  history: SignatureStatus | null = null;
  /** The heights that the node answers with, one after the other; the last one stays. */
  heights = [LAST - 100];
  onSend: () => Promise<void> = async () => undefined;
  onStatus = (): void => undefined;
  hidesStatuses = false;
  follower = this.follow();
  settlement = this.open();

  follow(): PaymentFollower {
    return new PaymentFollower({
      payments: this.payments,
      ledgerOf: () => this.#ledger(),
      clock: this.timer,
      timer: this.timer,
      logger: this.#logger,
    });
  }

  open(): Settlement {
    return new Settlement({
      follower: this.follower,
      budget: this.budget,
      lamportsPerHour: 1_000n,
      policy: null,
      signer: {
        cosign: ({ id }) => {
          this.signedCount += 1;
          return { wire: Buffer.from(`signed ${id}`), signature: `signature of ${id}` };
        },
      },
      clock: this.timer,
      logger: this.#logger,
    });
  }

  settle(id = 'a', gone = PRESENT, identifier: string | null = null): Promise<SettleResponse> {
    const terms = { identifier, lastValidBlockHeight: LAST, lamportsMax: 100n };
    return this.settlement.settle(verifiedOf(id, terms), gone);
  }

  /** Lets time pass in steps, with everything that happens in between. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += SECOND_MS) {
      this.timer.pass(SECOND_MS);
      await idle();
    }
  }

  /** Signs a payment that stays pending, and lets the reconciler see it. */
  async leavePending(): Promise<void> {
    const answer = this.settle();
    await idle();
    await this.pass(WAIT_MS);
    expect(await answer).toMatchObject({ success: false, errorReason: 'settlement_pending' });
    this.follower.start();
    await idle();
  }

  async state(): Promise<string | undefined> {
    return (await this.payments.get('a'))?.state;
  }

  get #logger(): Logger {
    return { ...silentLogger, error: (_facts, message) => void this.errors.push(message) };
  }

  #ledger(): SettlementLedger {
    return {
      hidesStatuses: this.hidesStatuses,
      blockHeight: async () => (this.heights.length > 1 ? this.heights.shift() : this.heights[0]) ?? 0,
      signatureStatus: async (_signature, _token, options) => {
        this.onStatus();
        return options?.searchHistory === true ? this.history : this.status;
      },
      sendTransaction: async (wire, _token, options) => {
        expect(options).toEqual({ skipPreflight: true });
        this.sent.push(Buffer.from(wire).toString());
        await this.onSend();
        return 'signature of a';
      },
    };
  }
}

const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a settlement', () => {
  it('stores the signed bytes before it sends them', async () => {
    const scene = new Scene();
    const stored: unknown[] = [];
    scene.onSend = async () => {
      stored.push(await scene.payments.get('a'));
      scene.status = LANDED;
    };
    expect(await scene.settle()).toMatchObject({ success: true, transaction: 'signature of a' });
    expect(stored).toMatchObject([{ state: 'signed', wire: Buffer.from('signed a') }]);
    expect(await scene.payments.get('a')).toMatchObject({ state: 'settled', slot: 7, isReleased: true });
  });

  it('stays pending without a status, and joins the first settlement when it is requested again', async () => {
    const scene = new Scene();
    await scene.leavePending();
    scene.status = LANDED;
    expect(await scene.settle()).toMatchObject({ success: true });
    expect(await scene.settle()).toMatchObject({ success: false, errorReason: 'duplicate_settlement' });
    expect(scene.signedCount).toBe(1);
    expect(await scene.budget.spent()).toBe(100n);
  });

  it('stays pending if the node rejects the transaction, because it may have forwarded it', async () => {
    const scene = new Scene();
    scene.onSend = () => Promise.reject(new ServiceError('TRANSACTION_FAILED', 'no'));
    await scene.leavePending();
    expect(await scene.state()).toBe('signed');
  });

  it('reports a transaction that landed and failed', async () => {
    const scene = new Scene();
    scene.status = { slot: 7, err: { InstructionError: [2, { Custom: 1 }] } };
    const failed = { success: false, errorReason: 'invalid_exact_svm_transaction_failed' };
    expect(await scene.settle()).toMatchObject(failed);
    expect(await scene.settle()).toMatchObject(failed);
    expect(await scene.payments.get('a')).toMatchObject({ state: 'failed', slot: 7 });
  });

  it('keeps the success for the next request if the client has disconnected', async () => {
    const scene = new Scene();
    const gone = new AbortController();
    scene.status = LANDED;
    scene.onStatus = () => gone.abort();
    expect(await scene.settle('a', gone.signal)).toMatchObject({ success: false });
    expect(await scene.settle()).toMatchObject({ success: true });
  });

  it('does not confuse a payment with one that has its id as identifier', async () => {
    const scene = new Scene();
    scene.status = LANDED;
    await scene.settle('b', PRESENT, 'a');
    expect(await scene.settle('a')).toMatchObject({ success: true, transaction: 'signature of a' });
    expect(scene.signedCount).toBe(2);
  });

  it('signs no more than the hourly limit of a payer', async () => {
    const scene = new Scene();
    scene.status = LANDED;
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      expect(await scene.settle(id)).toMatchObject({ success: true });
    expect(await scene.settle('f')).toMatchObject({ errorReason: 'facilitator_budget_exhausted' });
    expect(scene.signedCount).toBe(5);
  });

  it('does not count a free payment, such as one on a rollup, against the limit', async () => {
    const scene = new Scene();
    scene.status = LANDED;
    const settle = (id: string) =>
      scene.settlement.settle(verifiedOf(id, { lastValidBlockHeight: LAST, lamportsMax: 0n }), PRESENT);
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f'])
      expect(await settle(id)).toMatchObject({ success: true });
    expect(await scene.budget.spent()).toBe(0n);
    scene.status = null;
    const open = settle('g');
    await idle();
    scene.follower.start();
    scene.heights = [PROVEN];
    await scene.pass(WAIT_MS + 10 * SECOND_MS);
    expect(await open).toMatchObject({ errorReason: 'settlement_pending' });
    expect(await settle('g')).toMatchObject({ errorReason: 'invalid_transaction_state' });
  });

  it('is reported even if its cost cannot be recorded (bug: 503, and then never a success)', async () => {
    const scene = new Scene();
    scene.status = LANDED;
    scene.follower.onFinal(() => Promise.reject(new Error('the disk is full')));
    expect(await scene.settle()).toMatchObject({ success: true });
    expect(await scene.settle()).toMatchObject({ errorReason: 'duplicate_settlement' });
    expect(scene.errors).toEqual(['the outcome of a payment could not be recorded']);
  });

  it('stores an outcome and its report in one write', async () => {
    const scene = new Scene();
    scene.status = LANDED;
    const { advance } = scene.payments;
    let writes = 0;
    scene.payments.advance = (...change) => {
      writes += 1;
      return advance.apply(scene.payments, change);
    };
    expect(await scene.settle()).toMatchObject({ success: true });
    expect(writes).toBe(1);
  });
});

describe('the reconciler', () => {
  it('finishes a payment of a process that has ended', async () => {
    const scene = new Scene();
    const gone = new AbortController();
    void scene.settle('a', gone.signal);
    await idle();
    gone.abort();
    await scene.pass(SECOND_MS);
    const next = scene.follow();
    next.start();
    scene.status = LANDED;
    await scene.pass(WAIT_MS + SECOND_MS);
    expect(await scene.state()).toBe('settled');
    expect(next.counts).toEqual({ settled: 1, failed: 0, expired: 0 });
  });

  it('does not count payments of orders (bug: the facilitator showed them as its own)', async () => {
    const scene = new Scene();
    const order = { merchant: 'merchant', orderId: 'order', refundId: null };
    await scene.payments.create(paymentOf('a', { order }), 0);
    scene.status = LANDED;
    scene.follower.start();
    await scene.pass(SECOND_MS);
    expect(await scene.state()).toBe('settled');
    expect(scene.follower.counts).toEqual({ settled: 0, failed: 0, expired: 0 });
  });

  it('sends the stored bytes again while they can land, and not afterwards', async () => {
    const scene = new Scene();
    await scene.leavePending();
    expect(scene.sent.length).toBeGreaterThan(1);
    expect(new Set(scene.sent)).toEqual(new Set(['signed a']));
    scene.heights = [LAST + 1];
    const { length } = scene.sent;
    await scene.pass(10 * SECOND_MS);
    expect(scene.sent).toHaveLength(length);
    expect(await scene.state()).toBe('signed');
  });

  it('lets a payment expire when the last block that could contain it is final, and refunds its cost', async () => {
    const scene = new Scene();
    await scene.leavePending();
    scene.heights = [PROVEN - 1];
    await scene.pass(10 * SECOND_MS);
    expect(await scene.state()).toBe('signed');
    scene.heights = [PROVEN];
    await scene.pass(10 * SECOND_MS);
    expect(await scene.state()).toBe('expired');
    expect(await scene.budget.spent()).toBe(0n);
    expect(await scene.settle()).toMatchObject({ errorReason: 'invalid_transaction_state' });
    expect(scene.signedCount).toBe(1);
  });

  it.each([
    ['the history shows that it landed', (scene: Scene) => void (scene.history = LANDED), 'settled'],
    ['the ledger hides statuses', (scene: Scene) => void (scene.hidesStatuses = true), 'signed'],
    [
      'another node answers, which is behind',
      (scene: Scene) => void (scene.heights = [PROVEN, PROVEN, LAST]),
      'signed',
    ],
    [
      'it is so old that nodes may have dropped its block',
      (scene: Scene) => scene.timer.pass(25 * 3_600_000),
      'signed',
    ],
  ])('does not let a payment expire if %s', async (_, change, state) => {
    const scene = new Scene();
    await scene.leavePending();
    await scene.follower.close();
    scene.heights = [PROVEN];
    change(scene);
    await scene.pass(5 * SECOND_MS);
    scene.follow().start();
    await idle();
    expect(await scene.state()).toBe(state);
  });

  it('logs an outage of the store once', async () => {
    const scene = new Scene();
    const { lease } = scene.payments;
    scene.payments.lease = () => Promise.reject(new Error('gone'));
    scene.follower.start();
    await scene.pass(5 * SECOND_MS);
    expect(scene.errors).toHaveLength(1);
    scene.payments.lease = lease;
    await scene.pass(2 * SECOND_MS);
    scene.payments.lease = () => Promise.reject(new Error('gone again'));
    await scene.pass(2 * SECOND_MS);
    expect(scene.errors).toHaveLength(2);
  });

  it('stops when it is closed', async () => {
    const scene = new Scene();
    scene.follower.start();
    await scene.follower.close();
    await scene.pass(2 * SECOND_MS);
    expect(scene.timer.size).toBe(0);
  });
});
