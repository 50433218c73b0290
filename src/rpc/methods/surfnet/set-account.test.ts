import { beforeEach, describe, expect, it } from 'vitest';
import { readProgramDump } from '../../../ledger/genesis/dumps.ts';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { deadlyProgram } from '../../../ledger/provision/testing/deadly-program.ts';
import { MemoryStore } from '../../../ledger/store/memory-store.ts';
import { buildTransaction } from '../../../ledger/testing/test-ledger.ts';
import { BPF_LOADER_2, NOOP_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { rentExemptMinimum } from '../../../solana/account.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

let store: MemoryStore;
let node: OperatedNode;
beforeEach(async () => {
  store = new MemoryStore();
  node = await openOperatedNode({ genesis: bareGenesis(), place: { store } });
});

const set = (update: unknown, address: unknown = at(1)) => node.call('surfnet_setAccount', address, update);

describe('surfnet_setAccount', () => {
  it('creates an account durably, and returns null in its context', async () => {
    const update = { lamports: 5, owner: TOKEN_PROGRAM, executable: false, rentEpoch: 3, data: '0x0aFF' };
    expect(await set(update)).toMatchObject({ result: { context: { slot: 512 }, value: null } });
    const account = {
      lamports: 5n,
      owner: TOKEN_PROGRAM,
      executable: false,
      rentEpoch: 3n,
      data: Uint8Array.of(10, 255),
    };
    expect(node.ledger.getAccount(at(1))).toEqual(account);
    expect(new Map(store.accounts()).get(at(1))).toEqual(account);
  });

  it('changes only the given fields', async () => {
    await set({ lamports: 10_000_000, owner: TOKEN_PROGRAM, data: '010203' });
    await set({ data: '04' });
    expect(node.ledger.getAccount(at(1))).toMatchObject({
      lamports: 10_000_000n,
      owner: TOKEN_PROGRAM,
      data: Uint8Array.of(4),
    });
    await set({ lamports: 0 });
    expect(node.ledger.getAccount(at(1))).toBeNull();
  });

  it('makes an account rent-exempt if its lamports are not given', async () => {
    await set({ data: '0102' });
    expect(node.ledger.getAccount(at(1))).toMatchObject({
      lamports: rentExemptMinimum(2),
      owner: SYSTEM_PROGRAM,
    });
  });

  it('accepts 64-bit numbers with all digits', async () => {
    const params = `["${at(1)}",{"lamports":9007199254740993,"rentEpoch":18446744073709551615}]`;
    expect(await node.callForText('surfnet_setAccount', params)).toContain('"value":null');
    expect(node.ledger.getAccount(at(1))).toMatchObject({
      lamports: 9_007_199_254_740_993n,
      rentEpoch: 18_446_744_073_709_551_615n,
    });
  });

  it('rejects a program that would end the process, and continues', async () => {
    const { owner, data } = deadlyProgram();
    const deadly = { owner, executable: true, data: Buffer.from(data).toString('hex') };
    expect((await set(deadly)).error).toEqual({
      code: -32602,
      message: `${at(1)} cannot be loaded: the engine rejects it (it belongs to loader v4, whose programs the engine cannot run)`,
    });
    expect(node.ledger.getAccount(at(1))).toBeNull();
    expect(await set({ lamports: 1 })).toMatchObject({ result: { value: null } });
  });

  it.each([
    [{ data: '0' }, 'Invalid hex data provided'],
    [{ data: 'xy' }, 'Invalid hex data provided'],
    [{ owner: 'me' }, 'Invalid param: WrongSize'],
    [
      { lamports: -1 },
      'Invalid params: invalid value: integer `-1`, expected u64 as an integer or a decimal string.',
    ],
    [5, 'Invalid params: invalid type: integer `5`, expected struct AccountUpdate.'],
  ])('rejects %j', async (update, message) => {
    expect((await set(update)).error).toEqual({ code: -32602, message });
  });

  it('deletes a program that is set to no lamports', async () => {
    const code = Buffer.from(readProgramDump(NOOP_PROGRAM)).toString('hex');
    await set({ lamports: 0, owner: BPF_LOADER_2, executable: true, data: code });
    const wallet = await node.fundedWallet();
    const call = { programId: at(1), accounts: [], data: new Uint8Array(0) };
    // The engine ends the process when it has the code of a program and not its account.
    const { err } = await node.ledger.submit(buildTransaction(node.ledger, [wallet], [call]));
    expect(err).toBe('ProgramAccountNotFound');
  });

  it('leaves sysvars to the ledger', async () => {
    const { error } = await set({ lamports: 1 }, 'SysvarC1ock11111111111111111111111111111111');
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('SysvarC1ock') });
  });
});
