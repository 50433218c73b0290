import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTS, type HostName } from '../world/hosts.ts';
import { HOSTS_B, type HostNameB } from '../world/hosts-b.ts';
import { openWorld, type World } from '../world/world.ts';
import { openWorldB } from '../world/world-b.ts';
import { lengthOf } from '../../length.ts';
import { judgeMutants } from './judge-mutants.ts';

/** Mutants that are judged of one transaction at most. */
const MOST = lengthOf({ short: 20, long: 200 });

/** Mutants that are judged of all of them at least. */
const LEAST = lengthOf({ short: 400, long: 4_000 });

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe('a single change to a built transaction', () => {
  it('never matches the request, is never clear, and never breaks the service', async () => {
    const worldB = openWorldB();
    const tolls = [];
    for (const host of Object.keys(HOSTS) as HostName[]) {
      tolls.push(await judgeMutants(world.scene, host, await HOSTS[host](world), MOST));
    }
    for (const host of Object.keys(HOSTS_B) as HostNameB[]) {
      tolls.push(await judgeMutants(worldB.scene, `layout B ${host}`, await HOSTS_B[host](worldB), MOST));
    }
    expect(tolls.flatMap(({ faults }) => faults)).toEqual([]);
    expect(tolls.reduce((sum, { judged }) => sum + judged, 0)).toBeGreaterThan(LEAST);
  });
});
