import { expect, it } from 'vitest';
import { MapChain } from '../../test/ports/map-chain.ts';
import { readHeights } from './deliver.ts';

/** A node at a height, whose newest blockhash is good up to another one. */
function nodeAt(height: number, lastValidBlockHeight: number): MapChain {
  const node = new MapChain();
  node.latestBlockhash = () => Promise.resolve({ blockhash: node.blockhash, lastValidBlockHeight });
  node.blockHeight = () => Promise.resolve(height);
  return node;
}

it('allows for a payment built on a newer blockhash than the node returns', async () => {
  // Told 5 s ago at height 1,000; the service has built on block 1,013, which can land up to 1,163.
  const { lastHeight } = await readHeights(nodeAt(1_012, 1_150), undefined);
  expect(lastHeight).toBeGreaterThanOrEqual(1_163);
});

it('allows for the blocks that a rollup produces while its blockhash is cached', async () => {
  // Blockhashes of this rollup are good for 1,200 blocks, and it makes 100 in 5 s.
  const { height, lastHeight } = await readHeights(nodeAt(10_100, 11_200), undefined);
  expect(height).toBe(10_100);
  expect(lastHeight).toBeGreaterThanOrEqual(11_300);
});
