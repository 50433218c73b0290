import { describe, expect, it } from 'vitest';
import type { SignatureStatus } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { silentLogger } from '../../ports/logger.ts';
import { MemoryTables } from '../../ports/tables.ts';
import { HandTimer } from '../../ports/testing/hand-timer.ts';
import { TableBudgetStore } from './budget-store.ts';
import { FINAL_BLOCKS } from '../../chain/final-blocks.ts';
import { SponsorBudget, type SponsoredTransaction, STATUS_BLOCKS } from './sponsor.ts';

const MINUTE_MS = 60_000;

/** The last block height of the transactions here. */
const LAST = 1_150;

/** A height at which a missing status proves that they have expired. */
const EXPIRED = LAST + FINAL_BLOCKS + 1;

const LANDED: SignatureStatus = { slot: 1, err: null };
const FAILED: SignatureStatus = { slot: 1, err: { InstructionError: [0, 'InvalidArgument'] } };

const refusal = expect.objectContaining({ code: 'SPONSOR_UNAVAILABLE', httpStatus: 503 });

class Scene {
  readonly timer = new HandTimer();
  readonly warnings: object[] = [];
  readonly statuses = new Map<string, SignatureStatus>();
  readonly store: TableBudgetStore;
  readonly budget: SponsorBudget;
  /** The heights that the ledger answers with, one after the other; the last one stays. */
  heights: number[] = [1_000];
  isDown = false;
  signed = 0;
  readonly ledger: SponsoredTransaction['ledger'] = {
    blockHeight: () => {
      if (this.isDown) return Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
      const [height = 0] = this.heights.length > 1 ? this.heights.splice(0, 1) : this.heights;
      return Promise.resolve(height);
    },
    signatureStatus: (signature) => Promise.resolve(this.statuses.get(signature) ?? null),
  };

  constructor(limit: bigint) {
    const { timer } = this;
    const logger = { ...silentLogger, warn: (fields: object) => void this.warnings.push(fields) };
    this.store = new TableBudgetStore(new MemoryTables(), timer, 'sponsor');
    this.budget = new SponsorBudget({ timer, logger }, this.store, limit);
  }

  async spend(lamports: bigint, client?: string, signature = String((this.signed += 1))): Promise<void> {
    const { ledger } = this;
    await this.budget.spend(signature, { lamports, client, ledger, lastValidBlockHeight: LAST });
  }

  /** Makes the budget check expired reservations once. */
  async check(): Promise<void> {
    this.timer.pass(2_000);
    await new Promise((resolve) => setImmediate(resolve));
  }

  async spent(): Promise<bigint> {
    return (await this.budget.figures()).spent;
  }
}

describe('the budget of a sponsor', () => {
  it('gets a refund for transactions that were never sent (bug: they blocked others for an hour)', async () => {
    const scene = new Scene(100n);
    await scene.spend(100n);
    scene.heights = [EXPIRED];
    await scene.check();
    expect(await scene.spent()).toBe(0n);
    await scene.spend(100n);
  });

  it('gets one refund if the store makes it and its answer is lost (bug: each check made it again)', async () => {
    const scene = new Scene(100n);
    await scene.spend(60n);
    await scene.spend(40n);
    scene.statuses.set('2', LANDED);
    const refund = scene.store.refund.bind(scene.store);
    scene.store.refund = async (spent) => {
      await refund(spent);
      throw new Error('the connection is lost');
    };
    scene.heights = [EXPIRED];
    for (let check = 0; check < 3; check++) await scene.check();
    expect(await scene.spent()).toBe(40n);
  });

  it('gets no refund while a transaction may still land, or its last block is not final yet', async () => {
    const scene = new Scene(100n);
    await scene.spend(100n);
    for (const height of [LAST - 1, LAST, LAST + 1, EXPIRED - 1]) {
      scene.heights = [height];
      await scene.check();
      expect(await scene.spent()).toBe(100n);
    }
  });

  it('gets no refund while the ledger cannot be read', async () => {
    const scene = new Scene(100n);
    await scene.spend(100n);
    scene.isDown = true;
    for (let check = 0; check < 5; check++) await scene.check();
    expect(await scene.spent()).toBe(100n);
    scene.isDown = false;
    scene.heights = [EXPIRED];
    await scene.check();
    expect(await scene.spent()).toBe(0n);
  });

  it.each([
    ['at the first read', [LAST + STATUS_BLOCKS + 1]],
    ['between the reads', [EXPIRED, LAST + STATUS_BLOCKS + 1]],
  ])('gets no refund if nodes may have forgotten the status %s', async (_, heights) => {
    const scene = new Scene(100n);
    await scene.spend(100n);
    scene.heights = heights;
    await scene.check();
    expect(await scene.spent()).toBe(100n);
  });

  it('counts what landed for an hour, whether it succeeded or failed', async () => {
    const scene = new Scene(100n);
    await scene.spend(70n);
    await scene.spend(30n);
    scene.statuses.set('1', LANDED).set('2', FAILED);
    scene.heights = [EXPIRED];
    await scene.check();
    expect(await scene.spent()).toBe(100n);
    scene.timer.pass(58 * MINUTE_MS);
    await expect(scene.spend(1n)).rejects.toThrow(refusal);
    scene.timer.pass(2 * MINUTE_MS);
    expect(await scene.spent()).toBe(0n);
  });

  it('spends the same transaction once', async () => {
    const scene = new Scene(100n);
    for (let time = 0; time < 3; time++) await scene.spend(60n, undefined, 'same');
    expect(await scene.spent()).toBe(60n);
  });

  it('warns once an hour that it is exhausted', async () => {
    const scene = new Scene(100n);
    await scene.spend(100n);
    for (let time = 0; time < 3; time++) await expect(scene.spend(1n)).rejects.toThrow(refusal);
    expect(scene.warnings).toEqual([{ limit: '100' }]);
    scene.timer.pass(60 * MINUTE_MS);
    await scene.spend(100n);
    await expect(scene.spend(1n)).rejects.toThrow(refusal);
    expect(scene.warnings).toHaveLength(2);
  });

  it('reads no ledger after everything is settled, nor for a transaction that costs nothing', async () => {
    const scene = new Scene(100n);
    await scene.spend(0n);
    expect(scene.timer.size).toBe(0);
    await scene.spend(1n);
    expect(scene.timer.size).toBe(1);
    scene.heights = [EXPIRED];
    await scene.check();
    expect(scene.timer.size).toBe(0);
  });
});
