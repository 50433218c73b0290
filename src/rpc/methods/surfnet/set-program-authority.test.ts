import { beforeAll, describe, expect, it } from 'vitest';
import { readProgramDump } from '../../../ledger/genesis/dumps.ts';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { deriveProgramData, programAccounts } from '../../../ledger/genesis/program-accounts.ts';
import { MEMO_PROGRAM, NOOP_PROGRAM } from '../../../programs/addresses.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

const CODE = readProgramDump(NOOP_PROGRAM);
let node: OperatedNode;
beforeAll(async () => {
  node = await openOperatedNode({ genesis: bareGenesis() });
  await node.ledger.setAccounts(programAccounts(at(1), CODE, at(2)));
});

const set = (...params: readonly unknown[]) => node.call('surfnet_setProgramAuthority', ...params);

describe('surfnet_setProgramAuthority', () => {
  it.each([
    ['transfers the authority of a program', [at(1), at(3)], at(3)],
    ['makes a program final', [at(1)], null],
    ['gives a final program an authority, and keeps its code', [at(1), at(4)], at(4)],
  ])('%s', async (_, params, authority) => {
    expect(await set(...params)).toMatchObject({ result: { value: null } });
    for (const [address, account] of programAccounts(at(1), CODE, authority)) {
      expect(node.ledger.getAccount(address)).toEqual(account);
    }
    const shown = await node.call('getAccountInfo', deriveProgramData(at(1)), { encoding: 'jsonParsed' });
    expect(shown).toMatchObject({ result: { value: { data: { parsed: { info: { authority } } } } } });
  });

  it.each([
    [[at(9)], `Invalid program account ${at(9)}`, 'Account not found'],
    [[MEMO_PROGRAM, at(3)], `Invalid program account ${MEMO_PROGRAM}`, 'Not a program account'],
    [['me'], 'Invalid param: WrongSize', undefined],
    [[at(1), 'me'], 'Invalid param: WrongSize', undefined],
  ])('rejects %j', async (params, message, data) => {
    expect((await set(...params)).error).toEqual({ code: -32602, message, ...(data && { data }) });
  });
});
