import { describe, expect, it } from 'vitest';
import type { SignatureStatus } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { silentLogger } from '../../ports/logger.ts';
import { MemoryTables } from '../../ports/tables.ts';
import { HandTimer } from '../../ports/testing/hand-timer.ts';
import { TableBudgetStore } from './budget-store.ts';
import { SponsorBudget } from './sponsor-budget.ts';
import { type FateLedger, FINAL_BLOCKS, type SponsoredTransaction, STATUS_BLOCKS } from './sponsored-fate.ts';

const MINUTE_MS = 60_000;

/** The last block height of the transactions here. */
const LAST = 1_150;

/** A height at which a ledger tells what became of them. */
const TOLD = LAST + FINAL_BLOCKS + 1;

const LANDED: SignatureStatus = { slot: 1, err: null };
const FAILED: SignatureStatus = { slot: 1, err: { InstructionError: [0, 'InvalidArgument'] } };

const refusal = expect.objectContaining({ code: 'SPONSOR_UNAVAILABLE', httpStatus: 503 });

class Scene {
  readonly timer = new HandTimer();
  readonly told: object[] = [];
  readonly statuses = new Map<string, SignatureStatus>();
  readonly store: TableBudgetStore;
  readonly budget: SponsorBudget;
  /** The heights that the ledger answers with, one after the other; the last one stays. */
  heights: number[] = [1_000];
  isDown = false;
  signed = 0;
  readonly ledger: FateLedger = {
    blockHeight: () => {
      if (this.isDown) return Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
      const [height = 0] = this.heights.length > 1 ? this.heights.splice(0, 1) : this.heights;
      return Promise.resolve(height);
    },
    signatureStatus: (signature) => Promise.resolve(this.statuses.get(signature) ?? null),
  };

  constructor(limit: bigint) {
    const { timer } = this;
    const logger = { ...silentLogger, warn: (fields: object) => void this.told.push(fields) };
    this.store = new TableBudgetStore(new MemoryTables(), timer, limit);
    this.budget = new SponsorBudget({ clock: timer, timer, logger }, this.store);
  }

  async hold(lamports: bigint, more: Partial<SponsoredTransaction> = {}): Promise<void> {
    const signature = String((this.signed += 1));
    const { ledger } = this;
    const usual = { signature, failedLamports: 1n, lastValidBlockHeight: LAST, client: undefined };
    await this.budget.hold({ ...usual, lamports, ledger, ...more });
  }

  /** Has the budget look once at what became of everything it holds. */
  async look(): Promise<void> {
    this.timer.pass(2_000);
    await new Promise((resolve) => setImmediate(resolve));
  }

  get standing(): [spent: bigint, held: bigint] {
    const { spent, held } = this.store.figures;
    return [spent, held];
  }
}

describe('the budget of a sponsor', () => {
  it('is held to the last lamport, and not beyond', async () => {
    const scene = new Scene(100n);
    await scene.hold(60n);
    await expect(scene.hold(41n)).rejects.toThrow(refusal);
    await scene.hold(40n);
    await expect(scene.hold(1n)).rejects.toThrow(refusal);
    expect(scene.store.figures).toEqual({ spent: 0n, held: 100n, limit: 100n });
  });

  it('is given back what was never sent (bug: whoever sent nothing left nothing for others for an hour)', async () => {
    const scene = new Scene(100n);
    await scene.hold(100n);
    scene.heights = [TOLD];
    await scene.look();
    expect(scene.standing).toEqual([0n, 0n]);
    await scene.hold(100n);
  });

  it('is given nothing back while a transaction may still land, or its last block is not final', async () => {
    const scene = new Scene(100n);
    await scene.hold(100n);
    for (const height of [LAST - 1, LAST, LAST + 1, TOLD - 1]) {
      scene.heights = [height];
      await scene.look();
      expect(scene.standing).toEqual([0n, 100n]);
    }
  });

  it('is given nothing back while the ledger cannot be read, for however long', async () => {
    const scene = new Scene(100n);
    await scene.hold(100n);
    scene.isDown = true;
    for (let minute = 0; minute < 90; minute++) {
      scene.timer.pass(MINUTE_MS);
      await scene.look();
    }
    expect(scene.standing).toEqual([0n, 100n]);
    scene.isDown = false;
    scene.heights = [TOLD];
    await scene.look();
    expect(scene.standing).toEqual([0n, 0n]);
  });

  it.each([
    ['at the first reading', [LAST + STATUS_BLOCKS + 1]],
    ['between the readings', [TOLD, LAST + STATUS_BLOCKS + 1]],
  ])('takes for spent what nodes may have forgotten %s', async (_, heights) => {
    const scene = new Scene(100n);
    await scene.hold(100n);
    scene.heights = heights;
    await scene.look();
    expect(scene.standing).toEqual([100n, 0n]);
  });

  it('takes for spent what a ledger hides from those who are no party', async () => {
    const scene = new Scene(100n);
    await scene.hold(100n, { ledger: { ...scene.ledger, hidesStatuses: true } });
    scene.heights = [TOLD];
    await scene.look();
    expect(scene.standing).toEqual([100n, 0n]);
  });

  it('counts what landed for an hour from then, and of what failed the fees alone', async () => {
    const scene = new Scene(100n);
    await scene.hold(70n);
    await scene.hold(30n, { failedLamports: 10n });
    scene.statuses.set('1', LANDED).set('2', FAILED);
    scene.heights = [TOLD];
    await scene.look();
    expect(scene.standing).toEqual([80n, 0n]);
    scene.timer.pass(59 * MINUTE_MS);
    await expect(scene.hold(21n)).rejects.toThrow(refusal);
    scene.timer.pass(MINUTE_MS);
    expect(scene.standing).toEqual([0n, 0n]);
  });

  it('holds the same transaction once', async () => {
    const scene = new Scene(100n);
    for (let time = 0; time < 3; time++) await scene.hold(60n, { signature: 'same' });
    expect(scene.standing).toEqual([0n, 60n]);
  });

  it('lets one client hold a quarter of it, and others the rest', async () => {
    const scene = new Scene(100n);
    await scene.hold(20n, { client: 'one' });
    await expect(scene.hold(6n, { client: 'one' })).rejects.toThrow(refusal);
    await scene.hold(5n, { client: 'one' });
    await scene.hold(25n, { client: 'other' });
    scene.heights = [TOLD];
    await scene.look();
    await scene.hold(25n, { client: 'one' });
  });

  it('lets one client hold a quarter of the transactions (bug: cheap ones left no room for others)', async () => {
    const scene = new Scene(1_000_000n);
    for (let time = 0; time < 250; time++) await scene.hold(1n, { client: 'one' });
    await expect(scene.hold(1n, { client: 'one' })).rejects.toThrow(refusal);
    await scene.hold(1n, { client: 'other' });
  });

  it('lets a client that holds nothing have one transaction, however small the budget is', async () => {
    const scene = new Scene(100n);
    await scene.hold(90n, { client: 'one' });
    await expect(scene.hold(1n, { client: 'one' })).rejects.toThrow(refusal);
  });

  it('holds no more than a thousand at once', async () => {
    const scene = new Scene(10_000n);
    for (let time = 0; time < 1_000; time++) await scene.hold(1n);
    await expect(scene.hold(1n)).rejects.toThrow(refusal);
  });

  it('says once that it is exhausted, and again after it was not', async () => {
    const scene = new Scene(100n);
    await scene.hold(100n);
    for (let time = 0; time < 3; time++) await expect(scene.hold(1n)).rejects.toThrow(refusal);
    expect(scene.told).toEqual([{ spent: '0', held: '100', limit: '100' }]);
    scene.heights = [TOLD];
    await scene.look();
    await scene.hold(100n);
    await expect(scene.hold(1n)).rejects.toThrow(refusal);
    expect(scene.told).toHaveLength(2);
  });

  it('asks no ledger while it holds nothing', async () => {
    const scene = new Scene(100n);
    expect(scene.timer.size).toBe(0);
    await scene.hold(1n);
    expect(scene.timer.size).toBe(1);
    scene.heights = [TOLD];
    await scene.look();
    expect(scene.timer.size).toBe(0);
  });

  it('gives out nothing more where the clock is set back', async () => {
    const scene = new Scene(100n);
    const clock = { ms: 1_795_000_000_000, now: () => clock.ms };
    const store = new TableBudgetStore(new MemoryTables(), clock, 100n);
    const budget = new SponsorBudget({ clock, timer: scene.timer, logger: silentLogger }, store);
    const { ledger } = scene;
    const own = { lamports: 100n, failedLamports: 1n, ledger, client: undefined };
    await budget.hold({ ...own, signature: 'own', lastValidBlockHeight: LAST });
    scene.statuses.set('own', LANDED);
    scene.heights = [TOLD];
    await scene.look();
    clock.ms -= 90 * MINUTE_MS;
    expect(store.figures.spent).toBe(100n);
  });
});
