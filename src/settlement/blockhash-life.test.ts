import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MapNode } from '../../test/ports/map-chain.ts';
import type { LedgerClient } from '../chain/chain.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { InProcessClient } from '../ledger/ledger-chain.ts';
import { HandClock } from '../ledger/testing/hand-clock.ts';
import { emptyGenesis, openTestLedger } from '../ledger/testing/test-ledger.ts';
import { BlockhashLives } from './blockhash-life.ts';

let ledger: EmbeddedLedger;
let clock: HandClock;
beforeAll(async () => {
  ({ ledger, clock } = await openTestLedger({ genesis: emptyGenesis }));
});
afterAll(() => ledger.close());

/** A client that shows the ages of blockhashes only in the sysvar, as over RPC. */
class SysvarClient extends InProcessClient {
  override readonly lastHeightOf = undefined as never;
}

describe.each([
  ['a ledger that reports it', () => new InProcessClient(ledger)],
  ['a ledger that has only the sysvar', () => new SysvarClient(ledger)],
])('the life of a blockhash on %s', (_, open) => {
  let node: LedgerClient;
  let lives: BlockhashLives;
  beforeEach(() => {
    node = open();
    lives = new BlockhashLives(clock);
  });

  it('ends at the last valid block height', async () => {
    const { blockhash, lastValidBlockHeight } = ledger.head();
    for (const blocks of [0, 1, 100, 40]) {
      clock.pass(blocks * ledger.slotMs);
      expect(await lives.of(blockhash, node, 'base')).toMatchObject({ lastValidBlockHeight });
    }
    clock.pass(20 * ledger.slotMs);
    expect(await lives.of(blockhash, node, 'base')).toBeNull();
  });

  it('is based on the shortest block time until the block time is measured', async () => {
    const { blockhash } = ledger.head();
    const [first, short] = [await lives.of(blockhash, node, 'base'), 150 * 200];
    expect(first?.remainingMs).toBeGreaterThanOrEqual(short);
    expect(first?.remainingMs).toBeLessThan(short + 2 * 200);
    clock.pass(25 * ledger.slotMs);
    const measured = await lives.of(blockhash, node, 'base');
    expect(measured?.remainingMs).toBeGreaterThanOrEqual(125 * ledger.slotMs);
    expect(measured?.remainingMs).toBeLessThan(127 * ledger.slotMs);
  });

  it('is null for an unknown blockhash', async () => {
    expect(await lives.of('EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N', node, 'base')).toBeNull();
  });
});

it('the life of a blockhash whose age a ledger does not show is unknown on base, and bounded on a rollup', async () => {
  const node = new MapNode();
  const lives = new BlockhashLives(new HandClock());
  expect(await lives.of(node.blockhash, node, 'base')).toBeNull();
  const { lastValidBlockHeight } = await node.latestBlockhash();
  expect(await lives.of(node.blockhash, node, 'rollup')).toEqual({ lastValidBlockHeight, remainingMs: 0 });
  expect(await lives.of('another', node, 'rollup')).toBeNull();
});
