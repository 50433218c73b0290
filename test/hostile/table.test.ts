import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from './judge.ts';
import { KNOWN_OPEN } from './known-open.ts';
import { TABLE } from './table.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe('the table of hostile transactions', () => {
  it('has names that are told apart', () => {
    const names = TABLE.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('is what the service says, row by row, but for those that are known to be open', async () => {
    const faults = new Map<string, string>();
    for (const row of TABLE) {
      const found = await faultsOf(world, row);
      if (found.length > 0) faults.set(row.name, found.join('; '));
    }
    const open = new Set(KNOWN_OPEN);
    const unexpected = [...faults].filter(([name]) => !open.has(name));
    expect({
      failing: unexpected.map(([name, fault]) => `${name} -> ${fault}`),
      mended: KNOWN_OPEN.filter((name) => !faults.has(name)),
    }).toEqual({ failing: [], mended: [] });
  }, 60_000);
});
