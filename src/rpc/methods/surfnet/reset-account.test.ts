import { describe, expect, it } from 'vitest';
import { readProgramDump } from '../../../ledger/genesis/dumps.ts';
import { bareGenesis, walletAccount } from '../../../ledger/genesis/genesis.ts';
import { deriveProgramData, programAccounts } from '../../../ledger/genesis/program-accounts.ts';
import { accountOf } from '../../../ledger/testing/make-account.ts';
import { MEMO_PROGRAM, NOOP_PROGRAM, PERMISSION_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode } from './testing/operated-node.ts';

const DONE = { result: { value: null } };
const genesis = bareGenesis();

/** A cluster of accounts that can be changed. */
const clusterOf = (accounts: Record<Address, Account>) => ({
  genesis,
  source: {
    getAccounts: async (addresses: readonly Address[]) =>
      addresses.map((address) => accounts[address] ?? null),
  },
});

describe('surfnet_resetAccount', () => {
  it('removes an account that is not in the genesis', async () => {
    const node = await openOperatedNode({ genesis });
    await node.ledger.setAccounts([[at(1), walletAccount(5n)]]);
    expect(await node.call('surfnet_resetAccount', at(1))).toMatchObject(DONE);
    expect(node.ledger.getAccount(at(1))).toBeNull();
    expect(await node.call('surfnet_resetAccount', at(1), null)).toMatchObject(DONE);
  });

  it('restores a mint and a program with its code as the ledger was created with', async () => {
    const node = await openOperatedNode();
    const mint = node.ledger.getAccount(USDC_MINT) as Account;
    const code = node.ledger.getAccount(deriveProgramData(PERMISSION_PROGRAM)) as Account;
    await node.call('surfnet_setAccount', USDC_MINT, { lamports: 0 });
    await node.call('surfnet_cloneProgramAccount', MEMO_PROGRAM, PERMISSION_PROGRAM);
    await node.call('surfnet_setAccount', deriveProgramData(PERMISSION_PROGRAM), { lamports: 0 });
    for (const address of [USDC_MINT, PERMISSION_PROGRAM]) {
      expect(await node.call('surfnet_resetAccount', address)).toMatchObject(DONE);
    }
    expect(node.ledger.getAccount(USDC_MINT)).toEqual(mint);
    expect(node.ledger.getAccount(deriveProgramData(PERMISSION_PROGRAM))).toEqual(code);
  });

  it('resets the accounts it owns only if requested', async () => {
    const node = await openOperatedNode({ genesis });
    const owned = accountOf(at(1), Uint8Array.of(1), 10_000_000n);
    await node.ledger.setAccounts([
      [at(1), walletAccount(5n)],
      [at(2), owned],
    ]);
    await node.call('surfnet_resetAccount', at(1), { includeOwnedAccounts: false });
    expect(node.ledger.getAccount(at(2))).toEqual(owned);
    await node.call('surfnet_resetAccount', at(1), { includeOwnedAccounts: true });
    expect(node.ledger.getAccount(at(2))).toBeNull();
  });

  it('restores an account of a fork from the cluster as it is now', async () => {
    const cluster: Record<Address, Account> = { [at(1)]: walletAccount(5n) };
    const { source } = clusterOf(cluster);
    const node = await openOperatedNode({ genesis }, { source });
    await node.call('surfnet_setAccount', at(1), { lamports: 9 });
    cluster[at(1)] = walletAccount(6n);
    expect(await node.call('surfnet_resetAccount', at(1))).toMatchObject(DONE);
    expect(node.ledger.getAccount(at(1))?.lamports).toBe(6n);
    delete cluster[at(1)];
    await node.call('surfnet_resetAccount', at(1));
    expect(node.ledger.getAccount(at(1))).toBeNull();
  });

  it('restores a program of a fork from the cluster with its code', async () => {
    const there = programAccounts(at(7), readProgramDump(NOOP_PROGRAM));
    const { source } = clusterOf(Object.fromEntries(there));
    const node = await openOperatedNode({}, { source });
    await node.call('surfnet_cloneProgramAccount', PERMISSION_PROGRAM, at(7));
    expect(await node.call('surfnet_resetAccount', at(7))).toMatchObject(DONE);
    expect(node.ledger.getAccount(deriveProgramData(at(7)))).toEqual(there[0]?.[1]);
  });

  it.each([
    [MEMO_PROGRAM, `${MEMO_PROGRAM} cannot be set: it is a program and must stay one`],
    ['me', 'Invalid param: WrongSize'],
  ])('rejects %s', async (address, message) => {
    const node = await openOperatedNode({ genesis });
    expect((await node.call('surfnet_resetAccount', address)).error).toEqual({ code: -32602, message });
  });
});
