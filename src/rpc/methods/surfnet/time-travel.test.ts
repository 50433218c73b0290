import { beforeEach, describe, expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

let node: OperatedNode;
beforeEach(async () => {
  node = await openOperatedNode({ genesis: bareGenesis() });
});

const travel = (...params: unknown[]) => node.call('surfnet_timeTravel', ...params);
/** The time of the clock sysvar, in Unix seconds. */
function clockTime(): number {
  const { data } = node.ledger.getAccount(
    'SysvarC1ock11111111111111111111111111111111' as never,
  ) as never as {
    data: Uint8Array;
  };
  return Number(Buffer.from(data).readBigInt64LE(32));
}

describe('surfnet_timeTravel', () => {
  it('jumps to a slot and moves the time with it', async () => {
    const before = clockTime();
    expect(await travel({ absoluteSlot: 10_512 })).toMatchObject({
      result: { absoluteSlot: 10_512, epoch: 0, slotIndex: 10_512, slotsInEpoch: 432_000 },
    });
    expect(clockTime() - before).toBe(4_000);
  });

  it('jumps to the first slot of an epoch', async () => {
    expect(await travel({ absoluteEpoch: 3 })).toMatchObject({
      result: { absoluteSlot: 1_296_000, epoch: 3, slotIndex: 0 },
    });
  });

  it('jumps to a time in ms and moves the slot with it', async () => {
    const target = (clockTime() + 86_400) * 1_000;
    expect(await travel({ absoluteTimestamp: target })).toMatchObject({
      result: { absoluteSlot: 512 + 216_000 },
    });
    expect(clockTime() * 1_000).toBe(target);
  });

  it('jumps one hour ahead by default', async () => {
    const before = clockTime();
    expect(await travel()).toMatchObject({ result: { absoluteSlot: 512 + 9_000 } });
    expect(clockTime() - before).toBe(3_600);
  });

  it.each([
    [{ absoluteSlot: 512 }],
    [{ absoluteSlot: 1 }],
    [{ absoluteEpoch: 0 }],
    [{ absoluteTimestamp: 1_000 }],
    [{ absoluteEpoch: 9_007_199_254_740_991 }],
    [{ absoluteSlot: -1 }],
    [{ absoluteSlot: 1_000, absoluteEpoch: 2 }],
    [{ relativeSlot: 5 }],
    [{}],
    [7],
  ])('rejects %j and does not move', async (destination) => {
    expect((await travel(destination)).error).toMatchObject({ code: -32602 });
    expect(node.ledger.head().slot).toBe(512);
  });
});
