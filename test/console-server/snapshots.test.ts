import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConsoleState, ShownSnapshot, SnapshotList } from '../../src/console/answers.ts';
import { askRaw } from '../../src/console/testing/raw-request.ts';
import { payPrivately, privateBalanceOf } from '../../src/localnet/testing/call-localnet.ts';
import { startLocalnet } from '../../src/localnet/start-localnet.ts';
import { Life } from './life.ts';
import { startConsole } from './running-console.ts';

const post = (service: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  askRaw(service, path, {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function take({ localnet }: Life): Promise<ShownSnapshot> {
  const { status, text } = await post(localnet.urls.service, '/console/api/snapshots/take', {});
  expect(status).toBe(200);
  return JSON.parse(text) as ShownSnapshot;
}

/** Goes back, and waits until it is done: while it is being done nothing is answered. */
async function returnTo(life: Life, id: number): Promise<void> {
  const { returned: before } = await life.read<SnapshotList>('/console/api/snapshots');
  const { status } = await post(life.localnet.urls.service, '/console/api/snapshots/return', { id });
  expect(status).toBe(200);
  for (;;) {
    const told = await life.read<SnapshotList>('/console/api/snapshots').catch(() => null);
    if (told !== null && told.returned > before) return;
  }
}

describe('snapshots of a localnet in memory', () => {
  it('restore both ledgers any number of times, and survive a restore', async () => {
    const life = await Life.start();
    const { localnet, alice, bob } = life;
    await life.deposit(alice, 4_000_000n);
    await life.deposit(bob, 1_000_000n);
    const first = await take(life);
    await payPrivately(localnet, alice, bob, 3_000_000n);
    const second = await take(life);
    expect([first.id, second.id]).toEqual([1, 2]);
    expect(second.slot).toBeGreaterThanOrEqual(first.slot);
    for (const [id, left] of [
      [1, 4_000_000n],
      [2, 1_000_000n],
      [1, 4_000_000n],
    ] as const) {
      await returnTo(life, id);
      expect(await privateBalanceOf(localnet, alice)).toBe(left);
    }
    const { snapshots, returned } = await life.read<SnapshotList>('/console/api/snapshots');
    expect([snapshots, returned]).toEqual([[first, second], 3]);
    expect((await life.read<ConsoleState>('/console/api/state')).returned).toBe(3);
  });

  it('are limited to the last eight, and restoring a deleted one is rejected', async () => {
    const life = await Life.start();
    for (let taken = 0; taken < 9; taken++) await take(life);
    const { snapshots } = await life.read<SnapshotList>('/console/api/snapshots');
    expect(snapshots.map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    const { service } = life.localnet.urls;
    for (const id of [1, 10, 0, -1, 'all']) {
      const { status, text } = await post(service, '/console/api/snapshots/return', { id });
      expect([status, JSON.parse(text)]).toMatchObject([422, { code: 'INVALID_ARGUMENTS' }]);
    }
    expect((await life.read<SnapshotList>('/console/api/snapshots')).returned).toBe(0);
  });

  it('cannot be created or restored by a page of another origin', async () => {
    const life = await Life.start();
    await take(life);
    const { service } = life.localnet.urls;
    const foreign = { origin: 'https://evil.example' };
    expect((await post(service, '/console/api/snapshots/take', {}, foreign)).status).toBe(403);
    expect((await post(service, '/console/api/snapshots/return', { id: 1 }, foreign)).status).toBe(403);
    const { snapshots, returned } = await life.read<SnapshotList>('/console/api/snapshots');
    expect([snapshots.length, returned]).toEqual([1, 0]);
  });
});

it.each([
  ['without control over time', { settings: { LEDGER_CHEATS: 'off' } }],
  ['in a folder', null],
])('a localnet %s has no snapshots', async (_, options) => {
  const service = await serviceOf(options);
  expect((await askRaw(service, '/console/api/snapshots')).status).toBe(404);
  expect((await post(service, '/console/api/snapshots/take', {})).status).toBe(404);
  expect(JSON.parse((await askRaw(service, '/console/api/state')).text)).toMatchObject({ returned: null });
});

/** @param options of a localnet in memory; null for the program with its folder. */
async function serviceOf(options: { readonly settings: Record<string, string> } | null): Promise<string> {
  if (options === null) return (await startConsole()).serviceUrl;
  const localnet = await startLocalnet(options);
  onTestFinished(() => localnet.close());
  return localnet.urls.service;
}
