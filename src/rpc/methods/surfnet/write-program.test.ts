import { beforeAll, describe, expect, it } from 'vitest';
import { bareGenesis, walletAccount } from '../../../ledger/genesis/genesis.ts';
import { deriveProgramData, programAccounts } from '../../../ledger/genesis/program-accounts.ts';
import { buildTransaction } from '../../../ledger/testing/test-ledger.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { type Account, rentExemptMinimum } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

let node: OperatedNode;
beforeAll(async () => {
  node = await openOperatedNode({ genesis: bareGenesis() });
});

const write = (...params: readonly unknown[]) => node.call('surfnet_writeProgram', ...params);
const codeOf = (program: Address): Account => node.ledger.getAccount(deriveProgramData(program)) as Account;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The result of a call to a program without accounts. */
async function callOf(programId: Address) {
  const wallet = await node.fundedWallet();
  const call = { programId, accounts: [], data: new Uint8Array(0) };
  return await node.ledger.submit(buildTransaction(node.ledger, [wallet], [call]));
}

describe('surfnet_writeProgram', () => {
  it('writes a program in parts, which can be called when all are there', async () => {
    const elf = node.ledger.getAccount(MEMO_PROGRAM)?.data as Uint8Array;
    const half = elf.length >> 1;
    expect(await write(at(1), hex(elf.subarray(half)), half)).toMatchObject({ result: { value: null } });
    expect((await callOf(at(1))).err).not.toBeNull();
    expect(await write(at(1), `0x${hex(elf.subarray(0, half))}`, 0)).toMatchObject({
      result: { value: null },
    });
    expect((await callOf(at(1))).err).toBeNull();
    const [code, program] = programAccounts(at(1), elf, SYSTEM_PROGRAM);
    expect(codeOf(at(1))).toEqual(code?.[1]);
    expect(node.ledger.getAccount(at(1))).toEqual(program?.[1]);
  });

  it('changes only the written bytes of the code', async () => {
    await write(at(2), '0102030405', 0, at(9));
    await write(at(2), 'ff', 1);
    const [code] = programAccounts(at(2), Uint8Array.of(1, 255, 3, 4, 5), at(9));
    expect(codeOf(at(2))).toEqual(code?.[1]);
    await write(at(2), 'aa', 7, at(8));
    const data = Uint8Array.of(1, 255, 3, 4, 5, 0, 0, 0xaa);
    expect(codeOf(at(2))).toEqual(programAccounts(at(2), data, at(8))[0]?.[1]);
    expect(codeOf(at(2)).lamports).toBe(rentExemptMinimum(45 + 8));
  });

  it('replaces a wallet and keeps its lamports', async () => {
    await node.ledger.setAccounts([[at(3), walletAccount(5_000_000_000n)]]);
    await write(at(3), '01', 0);
    expect(node.ledger.getAccount(at(3))).toMatchObject({ lamports: 5_000_000_000n, executable: true });
  });

  it.each([
    [['me', '01', 0], 'Invalid param: WrongSize'],
    [[at(4), '01', 0, 'me'], 'Invalid param: WrongSize'],
    [[at(4), '0g', 0], 'Invalid hex data provided'],
    [[at(4), '01', 10_485_760], 'offset and data exceed the 10485760 bytes that an account may have'],
    [[at(4), '01', -1], 'Invalid params: invalid value: integer `-1`, expected usize.'],
    [[MEMO_PROGRAM, '01', 0], `${MEMO_PROGRAM} exists and is not an upgradeable program`],
  ])('rejects %j', async (params, message) => {
    expect((await write(...params)).error).toEqual({ code: -32602, message });
    expect(node.ledger.getAccount(at(4))).toBeNull();
  });
});
