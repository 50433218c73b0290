import { beforeEach, describe, expect, it } from 'vitest';
import { readProgramDump } from '../../../ledger/genesis/dumps.ts';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { programAccounts } from '../../../ledger/genesis/program-accounts.ts';
import { deadlyProgram } from '../../../ledger/provision/testing/deadly-program.ts';
import { accountOf } from '../../../ledger/testing/make-account.ts';
import { BPF_LOADER_2, NOOP_PROGRAM } from '../../../programs/addresses.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

/** Has to be tried, because of its owner. */
const TRIED = accountOf(BPF_LOADER_2, Uint8Array.of(1, 2, 3), 10_000_000n);

let node: OperatedNode;
beforeEach(async () => {
  node = await openOperatedNode({ genesis: bareGenesis() });
  await node.ledger.setAccounts([[at(1), TRIED]]);
});

const set = (update: unknown) => node.call('surfnet_setAccount', at(1), update);
const now = () => node.ledger.getAccount(at(1));
const DONE = { result: { value: null } };

describe('accounts that are put after a dry run', () => {
  it('keep what a transaction changed of them meanwhile', async () => {
    const setting = set({ rentEpoch: 7 });
    await node.ledger.airdrop(at(1), 5n);
    expect(now()?.rentEpoch).not.toBe(7n);
    expect(await setting).toMatchObject(DONE);
    expect(now()).toEqual({ ...TRIED, rentEpoch: 7n, lamports: 10_000_005n });
  });

  it('keep what other calls changed of them meanwhile', async () => {
    const answers = await Promise.all([set({ rentEpoch: 7 }), set({ data: '04' }), set({ lamports: 9 })]);
    for (const answer of answers) expect(answer).toMatchObject(DONE);
    expect(now()).toEqual({ ...TRIED, rentEpoch: 7n, data: Uint8Array.of(4), lamports: 9n });
  });

  it('are tried again when they have become something else meanwhile', async () => {
    await node.ledger.setAccounts([[at(1), { ...TRIED, data: readProgramDump(NOOP_PROGRAM) }]]);
    const setting = set({ executable: true });
    const deadly = { ...deadlyProgram(), executable: false };
    await node.ledger.setAccounts([[at(1), deadly]]);
    expect((await setting).error).toEqual({
      code: -32602,
      message: `${at(1)} cannot be loaded: the engine aborts on it`,
    });
    expect(now()).toEqual(deadly);
  });

  it('are copied from a program as it is then', async () => {
    const code = readProgramDump(NOOP_PROGRAM);
    await node.ledger.setAccounts(programAccounts(at(2), code, at(8)));
    const cloning = node.call('surfnet_cloneProgramAccount', at(2), at(3));
    await node.ledger.setAccounts(programAccounts(at(2), code, at(9)));
    expect(await cloning).toMatchObject(DONE);
    for (const [address, account] of programAccounts(at(3), code, at(9))) {
      expect(node.ledger.getAccount(address)).toEqual(account);
    }
  });

  it('do not wait for a dry run that is none of theirs', async () => {
    const order: string[] = [];
    await Promise.all([
      set({ rentEpoch: 7 }).then(() => order.push('tried')),
      node.call('surfnet_setAccount', at(2), { lamports: 1 }).then(() => order.push('plain')),
    ]);
    expect(order).toEqual(['plain', 'tried']);
  });

  it('are given up when they change during every dry run', async () => {
    const call = { isOver: false };
    const setting = set({ rentEpoch: 7 }).finally(() => {
      call.isOver = true;
    });
    for (let { lamports } = TRIED; !call.isOver; lamports++) {
      await node.ledger.setAccounts([[at(1), { ...TRIED, lamports }]]);
      await new Promise(setImmediate);
    }
    expect((await setting).error).toMatchObject({ code: -32005, message: 'Node is busy' });
    expect(now()?.rentEpoch).not.toBe(7n);
  });
});
