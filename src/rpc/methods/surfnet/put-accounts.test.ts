import { beforeEach, describe, expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { deadlyProgram } from '../../../ledger/provision/testing/deadly-program.ts';
import { accountOf } from '../../../ledger/testing/make-account.ts';
import { BPF_LOADER_2 } from '../../../programs/addresses.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

/** An account that needs a dry run, because of its owner. */
const TRIED = accountOf(BPF_LOADER_2, Uint8Array.of(1, 2, 3), 10_000_000n);

let node: OperatedNode;
beforeEach(async () => {
  node = await openOperatedNode({ genesis: bareGenesis() });
  await node.ledger.setAccounts([[at(1), TRIED]]);
});

const set = (update: unknown) => node.call('surfnet_setAccount', at(1), update);
const now = () => node.ledger.getAccount(at(1));
const DONE = { result: { value: null } };

describe('accounts that are set after a dry run', () => {
  it('keep changes that other calls made in the meantime', async () => {
    const answers = await Promise.all([set({ rentEpoch: 7 }), set({ data: '04' }), set({ lamports: 9 })]);
    for (const answer of answers) expect(answer).toMatchObject(DONE);
    expect(now()).toEqual({ ...TRIED, rentEpoch: 7n, data: Uint8Array.of(4), lamports: 9n });
  });

  it('are not set if the engine rejects them', async () => {
    const deadly = { ...deadlyProgram(), executable: false };
    await node.ledger.setAccounts([[at(1), deadly]]);
    expect((await set({ executable: true })).error).toEqual({
      code: -32602,
      message: `${at(1)} cannot be loaded: the engine rejects it (it belongs to loader v4, whose programs the engine cannot run)`,
    });
    expect(now()).toEqual(deadly);
  });
});
