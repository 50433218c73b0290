import { describe, expect, it } from 'vitest';
import type { Ledger, Reader, Viewpoint } from '../parts/reader.ts';
import { find } from './find.ts';

const ADDRESS = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SIGNATURE = '5'.repeat(87);

function readerAs(as: Viewpoint, landed: readonly Ledger[]): Reader & { readonly asked: Ledger[] } {
  const asked: Ledger[] = [];
  return {
    as,
    ledgers: as === 'base' ? ['base'] : ['base', 'rollup'],
    asked,
    call: <T>(ledger: Ledger) => {
      asked.push(ledger);
      return Promise.resolve({ value: [landed.includes(ledger) ? {} : null] } as T);
    },
    known: () => Promise.reject(new Error('not asked')),
    subscribe: () => () => {},
  };
}

describe('find()', () => {
  it('sends an address to both ledgers, and only to base for the base viewpoint', async () => {
    const paths = async (as: Viewpoint) =>
      (await find(` ${ADDRESS} `, readerAs(as, []), new Map())).map((hit) => hit.path);
    expect(await paths('owner')).toEqual([
      `/console/base/account/${ADDRESS}`,
      `/console/rollup/account/${ADDRESS}`,
    ]);
    expect(await paths('base')).toEqual([`/console/base/account/${ADDRESS}`]);
  });

  it('sends a signature to the ledger on which it landed', async () => {
    const hits = await find(SIGNATURE, readerAs('anyone', ['rollup']), new Map());
    expect(hits.map(({ path }) => path)).toEqual([`/console/rollup/tx/${SIGNATURE}`]);
  });

  it('does not call the rollup for the base viewpoint', async () => {
    const reader = readerAs('base', ['rollup']);
    expect(await find(SIGNATURE, reader, new Map())).toEqual([]);
    expect(reader.asked).toEqual(['base']);
  });

  it('sends a slot to its blocks and a name to its address', async () => {
    expect((await find('2,103', readerAs('base', []), new Map())).map(({ path }) => path)).toEqual([
      '/console/base/block/2103',
    ]);
    const names = new Map([[ADDRESS, 'Alice']]);
    expect((await find('ali', readerAs('owner', []), names)).map(({ id }) => id)).toEqual([ADDRESS]);
    expect(await find('', readerAs('owner', []), names)).toEqual([]);
  });
});
