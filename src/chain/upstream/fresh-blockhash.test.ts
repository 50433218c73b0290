import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../errors/service-error.ts';
import type { LatestBlockhash } from '../chain.ts';
import { HandTime } from '../testing/hand-time.ts';
import { AGE_MAX_MS, FreshBlockhash, REFRESH_MS, STANDSTILL_MS, WARM_MS } from './fresh-blockhash.ts';

const INVALID = new ServiceError('UPSTREAM_INVALID', 'it cannot be used');

/** A ledger with a block every 400 ms, unless it is stalled. It counts its requests. */
class Blocks {
  readonly time = new HandTime();
  readonly #start = this.time.now();
  readonly tokens: (string | undefined)[] = [];
  isDown = false;
  /** Blocks by which the answering node is behind the others. */
  lagBlocks = 0;
  standsAt: number | undefined;
  answerMs = 0;
  readonly cache = new FreshBlockhash((token, isUsable) => this.#read(token, isUsable), this.time, this.time);

  get height(): number {
    return this.standsAt ?? Math.floor((this.time.now() - this.#start) / 400) - this.lagBlocks;
  }

  async #read(
    token: string | undefined,
    isUsable: (answer: LatestBlockhash) => boolean,
  ): Promise<LatestBlockhash> {
    this.tokens.push(token);
    const { height } = this;
    if (this.answerMs > 0)
      await new Promise<void>((resolve) => {
        this.time.after(this.answerMs, resolve);
      });
    if (this.isDown) throw new ServiceError('UPSTREAM_UNAVAILABLE', 'down');
    const answer = { blockhash: `hash ${height}`, lastValidBlockHeight: height + 150 };
    if (!isUsable(answer)) throw INVALID;
    return answer;
  }
}

describe('FreshBlockhash', () => {
  it('reads once for callers at the same time', async () => {
    const blocks = new Blocks();
    const answers = await Promise.all([1, 2, 3].map(() => blocks.cache.get(undefined)));
    expect(new Set(answers).size).toBe(1);
    expect(blocks.tokens).toHaveLength(1);
  });

  it('never makes a caller wait while in use, and never returns one older than its limit', async () => {
    const blocks = new Blocks();
    blocks.answerMs = 300;
    const first = blocks.cache.get(undefined);
    await blocks.time.pass(300);
    await first;
    for (let passed = 0; passed < 20_000; passed += 100) {
      await blocks.time.pass(100);
      const height = Number((await blocks.cache.get(undefined)).blockhash.slice('hash '.length));
      expect((blocks.height - height) * 400).toBeLessThanOrEqual(REFRESH_MS + 2 * blocks.answerMs + 400);
    }
  });

  it('stops reading half a minute after its last use', async () => {
    const blocks = new Blocks();
    await blocks.cache.get(undefined);
    await blocks.time.pass(WARM_MS + REFRESH_MS);
    const reads = blocks.tokens.length;
    expect(reads).toBe(1 + WARM_MS / REFRESH_MS);
    expect(blocks.time.waiting).toBe(0);
    await blocks.time.pass(3_600_000);
    expect(blocks.tokens).toHaveLength(reads);
  });

  it('stops reading when it is closed', async () => {
    const blocks = new Blocks();
    await blocks.cache.get(undefined);
    blocks.cache.close();
    await blocks.time.pass(60_000);
    expect(blocks.tokens).toHaveLength(1);
    await blocks.cache.get(undefined);
    expect(blocks.time.waiting).toBe(0);
  });

  it('returns the cached one while the ledger is down, up to the age limit, and never caches a failure', async () => {
    const blocks = new Blocks();
    const known = await blocks.cache.get(undefined);
    blocks.isDown = true;
    await blocks.time.pass(AGE_MAX_MS);
    expect(await blocks.cache.get(undefined)).toBe(known);
    await blocks.time.pass(1);
    await expect(blocks.cache.get(undefined)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    blocks.isDown = false;
    expect(await blocks.cache.get(undefined)).not.toBe(known);
  });

  it('reads again after the clock was set back', async () => {
    const blocks = new Blocks();
    await blocks.cache.get(undefined);
    blocks.cache.close();
    await blocks.time.pass(-1);
    await blocks.cache.get(undefined);
    expect(blocks.tokens).toHaveLength(2);
  });

  it('shares the result of a read with another token, but not the read', async () => {
    const blocks = new Blocks();
    await Promise.all([blocks.cache.get('mine'), blocks.cache.get('yours'), blocks.cache.get('mine')]);
    expect(blocks.tokens).toEqual(['mine', 'yours']);
    await blocks.cache.get('his');
    expect(blocks.tokens).toHaveLength(2);
  });

  it('reads nothing in the background with a token', async () => {
    const blocks = new Blocks();
    await blocks.cache.get('mine');
    await blocks.time.pass(60_000);
    expect(blocks.tokens).toEqual(['mine']);
  });

  it('caches the answer of the latest request, whatever the order of the answers', async () => {
    const blocks = new Blocks();
    blocks.answerMs = 1_000;
    const early = blocks.cache.get('early');
    await blocks.time.pass(900);
    blocks.answerMs = 10;
    const late = blocks.cache.get('late');
    await blocks.time.pass(100);
    await early;
    expect(await blocks.cache.get(undefined)).toBe(await late);
  });

  it('rejects the blockhash of a ledger that has stalled', async () => {
    const blocks = new Blocks();
    blocks.standsAt = 5;
    await blocks.cache.get(undefined);
    await blocks.time.pass(STANDSTILL_MS);
    await blocks.cache.get(undefined);
    await blocks.time.pass(AGE_MAX_MS + 1);
    await expect(blocks.cache.get(undefined)).rejects.toBe(INVALID);
    blocks.standsAt = 6;
    expect(await blocks.cache.get(undefined)).toMatchObject({ blockhash: 'hash 6' });
  });

  it('rejects a blockhash of a node that is half a lifetime behind', async () => {
    const blocks = new Blocks();
    await blocks.time.pass(400_000);
    await blocks.cache.get(undefined);
    blocks.cache.close();
    await blocks.time.pass(AGE_MAX_MS + 1);
    blocks.lagBlocks = 120;
    await expect(blocks.cache.get(undefined)).rejects.toBe(INVALID);
    blocks.lagBlocks = 30;
    expect(await blocks.cache.get(undefined)).toMatchObject({ blockhash: `hash ${blocks.height}` });
  });

  it('accepts a ledger that was reset after a minute', async () => {
    const blocks = new Blocks();
    await blocks.time.pass(4_000_000);
    await blocks.cache.get(undefined);
    blocks.cache.close();
    blocks.lagBlocks = blocks.height;
    await blocks.time.pass(30_000);
    await expect(blocks.cache.get(undefined)).rejects.toBe(INVALID);
    await blocks.time.pass(31_000);
    expect(await blocks.cache.get(undefined)).toMatchObject({ blockhash: `hash ${blocks.height}` });
  });
});
