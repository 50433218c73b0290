import { beforeAll, describe, expect, it } from 'vitest';
import { deriveProgramData, programAccounts } from '../../../ledger/genesis/program-accounts.ts';
import { buildTransaction } from '../../../ledger/testing/test-ledger.ts';
import { MEMO_PROGRAM, PERMISSION_PROGRAM, SYSTEM_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

let node: OperatedNode;
beforeAll(async () => {
  node = await openOperatedNode();
});

const clone = (source: unknown, destination: unknown) =>
  node.call('surfnet_cloneProgramAccount', source, destination);

/** The logs of a call to a program without accounts. */
async function logsOf(programId: Address): Promise<string> {
  const wallet = await node.fundedWallet();
  const call = { programId, accounts: [], data: new Uint8Array(0) };
  const { signature } = await node.ledger.submit(buildTransaction(node.ledger, [wallet], [call]));
  return node.ledger.getTransaction(signature)?.logs.join('\n') ?? '';
}

describe('surfnet_cloneProgramAccount', () => {
  it('copies an upgradeable program with its code', async () => {
    expect(await clone(PERMISSION_PROGRAM, at(1))).toMatchObject({ result: { value: null } });
    expect(node.ledger.getAccount(deriveProgramData(at(1)))?.data).toEqual(
      node.ledger.getAccount(deriveProgramData(PERMISSION_PROGRAM))?.data,
    );
    expect(await logsOf(at(1))).toContain('IO Error: Unexpected length of input');
  });

  it('copies a program that is not upgradeable', async () => {
    expect(await clone(MEMO_PROGRAM, at(2))).toMatchObject({ result: { value: null } });
    expect(await logsOf(at(2))).toContain('Memo (len 0)');
  });

  it('replaces an existing program', async () => {
    await clone(MEMO_PROGRAM, at(1));
    expect(await logsOf(at(1))).toContain('Memo (len 0)');
  });

  it.each([
    [at(99), at(3), `${at(99)} is not a program`],
    [USDC_MINT, at(3), `${USDC_MINT} is not a program`],
    [SYSTEM_PROGRAM, at(3), `${SYSTEM_PROGRAM} is a native program, which has no code`],
    [MEMO_PROGRAM, 'me', 'Invalid param: WrongSize'],
  ])('rejects %s to %s', async (source, destination, message) => {
    expect((await clone(source, destination)).error).toEqual({ code: -32602, message });
  });
});

describe('surfnet_setAccount on the code of a program', () => {
  it('makes the program run that code (bug: it kept running the old code)', async () => {
    await clone(PERMISSION_PROGRAM, at(5));
    expect(await logsOf(at(5))).toContain('IO Error: Unexpected length of input');
    const memo = node.ledger.getAccount(MEMO_PROGRAM)?.data as Uint8Array;
    const [[address, { data, lamports }]] = programAccounts(at(5), memo);
    const update = { data: Buffer.from(data).toString('hex'), lamports: Number(lamports) };
    expect(await node.call('surfnet_setAccount', address, update)).toMatchObject({ result: { value: null } });
    expect(await logsOf(at(5))).toContain('Memo (len 0)');
  });
});
