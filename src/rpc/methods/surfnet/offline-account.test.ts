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

describe('surfnet_offlineAccount', () => {
  it('has an account not copied until it is reset', async () => {
    expect(await node.call('surfnet_offlineAccount', at(1))).toMatchObject(DONE);
    expect(await balance(at(1))).toBe(0);
    expect(await balance(at(2))).toBe(10_000_000);
    await node.call('surfnet_resetAccount', at(1));
    expect(await balance(at(1))).toBe(5);
  });

  it('has what it owns not copied when that is asked for', async () => {
    await node.call('surfnet_offlineAccount', at(1), { includeOwnedAccounts: true });
    expect(await balance(at(2))).toBe(0);
    expect(await balance(at(3))).toBe(7);
    await node.call('surfnet_resetAccount', at(1));
    expect(await balance(at(2))).toBe(10_000_000);
  });

  it('leaves what is local, and ends when the network is reset', async () => {
    expect(await balance(at(1))).toBe(5);
    await node.call('surfnet_offlineAccount', at(1));
    expect(await balance(at(1))).toBe(5);
    await node.call('surfnet_resetNetwork');
    there[at(1)] = walletAccount(6n);
    expect(await balance(at(1))).toBe(6);
  });

  it('refuses a node that is no fork, and says how to start one', async () => {
    const local = await openOperatedNode({ genesis: bareGenesis() });
    expect((await local.call('surfnet_offlineAccount', at(1))).error).toEqual({
      code: -32600,
      message: 'This node copies no accounts from another cluster; start it with --url and --fork',
    });
  });
});
