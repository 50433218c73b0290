import { beforeEach, describe, expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/local-genesis.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

const PAUSE = 'surfnet_pauseClock';
const INFO = 'surfnet_getSurfnetInfo';
const ENABLE = 'surfnet_enableCheatcode';
const DISABLE = 'surfnet_disableCheatcode';
const DONE = { result: { value: null } };

let node: OperatedNode;
beforeEach(async () => {
  node = await openOperatedNode({ genesis: bareGenesis() });
});

const off = (name: string) => ({
  error: { code: -32600, message: `Cheatcode rpc method: ${name} is currently disabled` },
});

describe('surfnet_disableCheatcode and surfnet_enableCheatcode', () => {
  it('switch the cheats that are named, and no others', async () => {
    expect(await node.call(DISABLE, [PAUSE])).toMatchObject(DONE);
    expect(await node.call(PAUSE)).toMatchObject(off(PAUSE));
    expect(node.ledger.isClockPaused).toBe(false);
    expect(await node.call(INFO)).toHaveProperty('result');
    expect(await node.call(ENABLE, [PAUSE])).toMatchObject(DONE);
    expect(await node.call(PAUSE)).toHaveProperty('result');
  });

  it('switch all but themselves', async () => {
    await node.call(DISABLE, [INFO]);
    expect(await node.call(DISABLE, 'all')).toMatchObject(DONE);
    for (const name of [PAUSE, INFO]) expect(await node.call(name)).toMatchObject(off(name));
    expect(await node.call('getSlot')).toHaveProperty('result');
    expect(await node.call(ENABLE, 'all')).toMatchObject(DONE);
    expect(await node.call(INFO)).toHaveProperty('result');
  });

  it('lock everybody out for good when told to, also after a reset of the network', async () => {
    await node.call(DISABLE, 'all', { lockout: true });
    await node.ledger.resetLedger();
    for (const name of [PAUSE, ENABLE, DISABLE])
      expect(await node.call(name, 'all')).toMatchObject(off(name));
  });

  it.each([
    [
      DISABLE,
      ['none'],
      "disable cheatcode: Invalid option provided for disabling all cheatcodes. Try using 'all'",
    ],
    [DISABLE, [[PAUSE, 'getSlot']], 'disable cheatcode: Invalid cheatcode rpc method'],
    [DISABLE, [[PAUSE, PAUSE]], 'disable cheatcode: Cheatcode already disabled'],
    [DISABLE, [[PAUSE, ENABLE]], 'disable cheatcode: Cannot disable surfnet_enableCheatcode or'],
    [
      ENABLE,
      ['none'],
      "enable cheatcode: Invalid option provided for enabling all cheatcodes. Try using 'all'",
    ],
    [ENABLE, [[PAUSE]], "enable cheatcode: Cheatcode isn't disabled"],
    [ENABLE, [['getSlot']], 'enable cheatcode: Invalid cheatcode rpc method'],
  ])('%s refuses %j and switches nothing', async (method, params, what) => {
    expect(await node.call(method, ...params)).toMatchObject({
      error: {
        code: -32600,
        message: 'Invalid request',
        data: expect.stringContaining(`Unable to ${what}`) as string,
      },
    });
    expect(await node.call(PAUSE)).toHaveProperty('result');
  });

  it('refuse what names no cheats', async () => {
    expect(await node.call(DISABLE, 7)).toMatchObject({
      error: {
        code: -32602,
        message: 'Invalid params: data did not match any variant of untagged enum CheatcodeFilter.',
      },
    });
  });
});
