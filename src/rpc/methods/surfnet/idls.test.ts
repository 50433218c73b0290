import { beforeEach, describe, expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/local-genesis.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

let node: OperatedNode;
beforeEach(async () => {
  node = await openOperatedNode({ genesis: bareGenesis() });
});

const idlOf = (version: string, more: object = {}) => ({
  address: at(7),
  metadata: { name: 'test', version, spec: '0.1.0' },
  instructions: [],
  ...more,
});
const active = async (...params: unknown[]): Promise<unknown> =>
  ((await node.call('surfnet_getActiveIdl', ...params)).result as { value: unknown }).value;

describe('surfnet_registerIdl', () => {
  it('keeps an IDL from its slot on, and from now on where none is named', async () => {
    const { slot } = node.ledger.head();
    expect(await active(at(7))).toBeNull();
    expect(await node.call('surfnet_registerIdl', idlOf('2'))).toMatchObject({
      result: { context: { slot }, value: null },
    });
    await node.call('surfnet_registerIdl', idlOf('1'), 100);
    await node.call('surfnet_registerIdl', idlOf('3'), slot + 10);
    expect(await active(at(7))).toEqual(idlOf('2'));
    expect(await active(at(7), 99)).toBeNull();
    expect(await active(at(7), 100)).toEqual(idlOf('1'));
    expect(await active(at(7), slot + 10)).toEqual(idlOf('3'));
    expect(await active(at(8))).toBeNull();
  });

  it('answers it as it was written, numbers of any length and names of any kind included', async () => {
    const text = `{"address":"${at(7)}","metadata":{"name":"t","version":"1","spec":"1"},"instructions":[{"a\\"b":18446744073709551615,"c":[1.50,-3e2,null,true]}]}`;
    await node.callForText('surfnet_registerIdl', `[${text}]`);
    expect(await node.callForText('surfnet_getActiveIdl', `["${at(7)}"]`)).toContain(`"value":${text}}`);
  });

  it('replaces that of the same slot, and is forgotten when the network is reset', async () => {
    await node.call('surfnet_registerIdl', idlOf('1'), 5);
    await node.call('surfnet_registerIdl', idlOf('2'), 5);
    expect(await active(at(7), 5)).toEqual(idlOf('2'));
    await node.call('surfnet_resetNetwork');
    expect(await active(at(7))).toBeNull();
  });

  it('takes so many bytes and versions', async () => {
    const large = await node.call('surfnet_registerIdl', idlOf('1', { docs: ['x'.repeat(1024 * 1024)] }));
    expect(large.error).toMatchObject({ code: -32602, message: 'IDL too large; max 1048576 bytes' });
    for (let slot = 0; slot < 64; slot++) await node.call('surfnet_registerIdl', idlOf('1'), slot);
    expect((await node.call('surfnet_registerIdl', idlOf('1'), 63)).error).toBeUndefined();
    expect((await node.call('surfnet_registerIdl', idlOf('1'), 64)).error?.message).toBe(
      'Too many IDLs of the program; max 64',
    );
    for (let program = 20; program < 35; program++) {
      await node.call('surfnet_registerIdl', {
        ...idlOf('1', { docs: 'x'.repeat(1_000_000) }),
        address: at(program),
      });
    }
    const tooMany = { ...idlOf('1', { docs: 'x'.repeat(1_000_000) }) };
    for (const program of [40, 41])
      await node.call('surfnet_registerIdl', { ...tooMany, address: at(program) });
    expect(await active(at(40))).not.toBeNull();
    expect(await active(at(41))).toBeNull();
  });

  it.each<[unknown, string]>([
    [{ metadata: {}, instructions: [] }, 'Invalid params: missing field `name`.'],
    [idlOf('1', { address: 'me' }), 'Invalid param: WrongSize'],
    ['idl', 'Invalid params: invalid type: string "idl", expected struct Idl.'],
  ])('refuses %j', async (given, message) => {
    expect((await node.call('surfnet_registerIdl', given)).error).toMatchObject({ code: -32602, message });
  });

  it('is not there where nobody may change the ledger', async () => {
    const closed = await openOperatedNode({ genesis: bareGenesis() }, { hasOperator: false });
    for (const [method, param] of [
      ['surfnet_registerIdl', idlOf('1')],
      ['surfnet_getActiveIdl', at(7)],
    ] as const) {
      expect((await closed.call(method, param)).error?.code).toBe(-32601);
    }
  });
});
