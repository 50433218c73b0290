import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf, type Explainer } from './judge.ts';
import type { Row } from './row.ts';
import { TABLE, TABLE_B, TABLE_RECORDED_A } from './table.ts';
import { openWorld, type World } from './world/world.ts';
import { openWorldB } from './world/world-b.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** The rows that are not judged as they should be, each with what is wrong. */
async function judge<Place extends { readonly scene: Explainer }>(
  place: Place,
  rows: readonly Row<Place>[],
): Promise<[name: string, fault: string][]> {
  const faulty: [string, string][] = [];
  for (const row of rows) {
    const faults = await faultsOf(place, row);
    if (faults.length > 0) faulty.push([row.name, faults.join('; ')]);
  }
  return faulty;
}

describe('the table of hostile transactions', () => {
  it('has hundreds of rows, with names that are told apart', () => {
    const names = [...TABLE, ...TABLE_B, ...TABLE_RECORDED_A].map(({ name }) => name);
    expect(names.length).toBeGreaterThan(1_000);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('is what the service says, row by row', async () => {
    const faults = [
      ...(await judge(world, TABLE)),
      ...(await judge(openWorldB(), TABLE_B)),
      ...(await judge(openWorldB('a'), TABLE_RECORDED_A)),
    ];
    expect(faults.map(([name, fault]) => `${name} -> ${fault}`)).toEqual([]);
  });
});
