import { beforeEach, describe, expect, it } from 'vitest';
import { bareGenesis, walletAccount } from '../../../ledger/genesis/genesis.ts';
import { accountOf } from '../../../ledger/testing/make-account.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

const DONE = { result: { value: null } };
const OWNED = accountOf(at(1), Uint8Array.of(1), 10_000_000n);

/** What the cluster has; it can be changed. */
let there: Record<Address, Account>;
let node: OperatedNode;
beforeEach(async () => {
  there = { [at(1)]: walletAccount(5n), [at(2)]: OWNED, [at(3)]: walletAccount(7n) };
  const source = {
    getAccounts: async (addresses: readonly Address[]) => addresses.map((address) => there[address] ?? null),
  };
  node = await openOperatedNode({ genesis: bareGenesis() }, { source });
});

const balance = async (address: Address): Promise<number> => {
  const { result } = await node.call('getBalance', address);
  return (result as { value: number }).value;
};

describe('surfnet_streamAccount', () => {
  it('has an account copied anew in each slot, whatever was done to it here', async () => {
    expect(await node.call('surfnet_streamAccount', at(1))).toMatchObject(DONE);
    expect(await balance(at(1))).toBe(5);
    await node.call('surfnet_setAccount', at(1), { lamports: 9 });
    there[at(1)] = walletAccount(6n);
    expect(await balance(at(1))).toBe(9);
    node.clock.pass(400);
    expect(await balance(at(1))).toBe(6);
    delete there[at(1)];
    node.clock.pass(400);
    expect(await balance(at(1))).toBe(6);
  });

  it('has what it owns copied anew when that is asked for, and only then', async () => {
    expect(await balance(at(2))).toBe(10_000_000);
    there[at(2)] = { ...OWNED, lamports: 11_000_000n };
    await node.call('surfnet_streamAccount', at(1));
    expect(await balance(at(2))).toBe(10_000_000);
    await node.call('surfnet_streamAccount', at(1), { includeOwnedAccounts: true });
    expect(await balance(at(2))).toBe(11_000_000);
  });

  it('refuses a node that is no fork, and says how to start one', async () => {
    const local = await openOperatedNode({ genesis: bareGenesis() });
    expect((await local.call('surfnet_streamAccount', at(1))).error).toEqual({
      code: -32600,
      message: 'This node copies no accounts from another cluster; start it with --url and --fork',
    });
  });
});

describe('surfnet_streamAccounts', () => {
  it('streams several, which surfnet_getStreamedAccounts lists until the network is reset', async () => {
    const entries = [{ pubkey: at(1), includeOwnedAccounts: true }, { pubkey: at(3) }];
    expect(await node.call('surfnet_streamAccounts', entries)).toMatchObject(DONE);
    expect(await node.call('surfnet_getStreamedAccounts')).toMatchObject({
      result: {
        value: {
          accounts: [
            { pubkey: at(1), includeOwnedAccounts: true },
            { pubkey: at(3), includeOwnedAccounts: false },
          ],
        },
      },
    });
    await node.call('surfnet_resetNetwork');
    expect(await node.call('surfnet_getStreamedAccounts')).toMatchObject({
      result: { value: { accounts: [] } },
    });
  });

  it('streams none when one of the addresses is none', async () => {
    const { error } = await node.call('surfnet_streamAccounts', [{ pubkey: at(1) }, { pubkey: 'me' }]);
    expect(error).toEqual({ code: -32602, message: 'Invalid param: WrongSize' });
    expect(await node.call('surfnet_getStreamedAccounts')).toMatchObject({
      result: { value: { accounts: [] } },
    });
  });
});
