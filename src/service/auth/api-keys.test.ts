import { beforeEach, describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { systemRandom } from '../../ports/random.ts';
import type { StoredKey } from './api-key-store.ts';
import { ApiKeys, makeApiKey } from './api-keys.ts';
import { InvalidCredentials } from './caller.ts';

let now: number;
let stored: StoredKey[];
let reads: number;
let fault: Error | undefined;
let keys: ApiKeys;
const clock = { now: () => 0, steady: () => now };

beforeEach(() => {
  now = 0;
  stored = [];
  reads = 0;
  fault = undefined;
  keys = new ApiKeys({ list }, clock);
});

async function list(): Promise<readonly StoredKey[]> {
  reads += 1;
  await Promise.resolve();
  if (fault !== undefined) throw fault;
  return [...stored];
}

function create(rate: number | null = null): string {
  const made = makeApiKey({ name: 'shop', scopes: ['spl:read'], rate }, { random: systemRandom, clock });
  stored.push(made.stored);
  return made.key;
}

describe('an API key', () => {
  it('has 256 random bits and is stored as a digest and its first characters', () => {
    const { key, stored: record } = makeApiKey(
      { name: 'shop', scopes: ['spl:read'], rate: 5 },
      { random: { bytes: (count) => new Uint8Array(count).fill(0xff) }, clock: { now: () => 1_234 } },
    );
    expect(key).toBe(`spp_${'_'.repeat(42)}8`);
    expect(record).toEqual({
      digest: createHash('sha256').update(key).digest('hex'),
      id: 'spp_________',
      name: 'shop',
      scopes: ['spl:read'],
      rate: 5,
      createdAt: 1_234,
    });
  });

  it('names the caller, its scopes and its rate', async () => {
    const key = create(5);
    expect(await keys.verify(key)).toEqual({
      client: `key ${key.slice(0, 12)}`,
      scopes: new Set(['spl:read']),
      limit: { requestsPerSecond: 5, burst: 10 },
    });
  });

  it('is refused with the same message if it is unknown, revoked or malformed', async () => {
    const [key, revoked] = [create(), create()];
    await keys.verify(revoked);
    stored.pop();
    now += 1_000;
    const wrong = [
      revoked,
      `${key.slice(0, -1)}${key.endsWith('A') ? 'E' : 'A'}`,
      key.toUpperCase(),
      'spp_',
      `${key}x`,
    ];
    for (const each of wrong) {
      const error: unknown = await keys.verify(each).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InvalidCredentials);
      expect((error as Error).message).toBe('The API key is not valid');
    }
  });
});

describe('the keys that a process has read', () => {
  it('are used for less than a second, so that a revocation takes effect', async () => {
    const key = create();
    await keys.verify(key);
    stored = [];
    now = 999;
    await expect(keys.verify(key)).resolves.toBeDefined();
    now = 1_000;
    await expect(keys.verify(key)).rejects.toBeInstanceOf(InvalidCredentials);
  });

  it('are read once for many requests, also for a flood of unknown keys', async () => {
    create();
    const unknown = Array.from({ length: 100 }, (_, index) => `spp_${String(index).padStart(43, 'a')}`);
    const results = await Promise.allSettled(unknown.map((key) => keys.verify(key)));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(reads).toBe(1);
  });

  it('are read again if a read in progress started too early', async () => {
    const key = create();
    const first = keys.verify(key);
    now = 5_000;
    const second = keys.verify(key);
    stored = [];
    await Promise.allSettled([first, second]);
    expect(reads).toBe(2);
    await expect(second).rejects.toBeInstanceOf(InvalidCredentials);
  });

  it('are not used if the store fails, and used again when it recovers', async () => {
    const key = create();
    await keys.verify(key);
    fault = new Error('connection refused');
    now = 1_000;
    await expect(keys.verify(key)).rejects.toBe(fault);
    fault = undefined;
    await expect(keys.verify(key)).resolves.toBeDefined();
  });
});
