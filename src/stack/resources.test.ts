import { describe, expect, it } from 'vitest';
import { Resources } from './node.ts';

/** Resources that write down in which order they are closed. */
function watched() {
  const closed: string[] = [];
  const called = (name: string) => ({
    close: async () => {
      await Promise.resolve();
      closed.push(name);
    },
  });
  return { closed, called };
}

describe('resources', () => {
  it('are closed one after another, the last opened first', async () => {
    const { closed, called } = watched();
    const resources = new Resources();
    for (const name of ['ledger', 'rollup', 'clusters']) resources.add(called(name));
    await resources.close();
    expect(closed).toEqual(['clusters', 'rollup', 'ledger']);
  });

  it('are closed once, and every call waits for it', async () => {
    const { closed, called } = watched();
    const resources = new Resources();
    resources.add(called('ledger'));
    void resources.close();
    await resources.close();
    expect(closed).toEqual(['ledger']);
  });

  it('are closed when a later step fails, with the error of that step', async () => {
    const { closed, called } = watched();
    const opening = Resources.open(async (resources) => {
      resources.add(called('cluster'));
      resources.add(called('ledger'));
      throw new Error('no room for the fork');
    });
    await expect(opening).rejects.toThrow('no room for the fork');
    expect(closed).toEqual(['ledger', 'cluster']);
  });

  it('stay open if they were opened successfully', async () => {
    const { closed, called } = watched();
    const ledger = called('ledger');
    const node = await Resources.open(async (resources) => {
      resources.add(ledger);
      return { close: () => resources.close() };
    });
    expect(closed).toEqual([]);
    await node.close();
    expect(closed).toEqual(['ledger']);
  });
});
