import { beforeAll, describe, expect, it } from 'vitest';
import { walletAccount } from '../../../ledger/genesis/genesis.ts';
import { deriveProgramData } from '../../../ledger/genesis/program-accounts.ts';
import { accountOf } from '../../../ledger/testing/make-account.ts';
import {
  MEMO_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../programs/addresses.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const OWNED = accountOf(at(1), Uint8Array.of(1, 2, 255), 10_000_000n);

let node: OperatedNode;
beforeAll(async () => {
  node = await openOperatedNode();
  await node.ledger.setAccounts([
    [at(1), walletAccount(9_007_199_254_740_993n)],
    [at(2), OWNED],
  ]);
});

type Snapshot = Record<string, Record<string, unknown>>;
async function exported(...params: readonly unknown[]): Promise<Snapshot> {
  const { result } = await node.call('surfnet_exportSnapshot', ...params);
  return (result as { value: Snapshot }).value;
}

describe('surfnet_exportSnapshot', () => {
  it('shows every field of an account with all digits', async () => {
    expect((await exported())[at(2)]).toEqual({
      lamports: 10_000_000,
      owner: at(1),
      executable: false,
      rentEpoch: Number(OWNED.rentEpoch),
      data: 'AQL/',
      parsedData: null,
    });
    expect(await node.callForText('surfnet_exportSnapshot', '[]')).toContain(
      `"${at(1)}":{"lamports":9007199254740993,"owner":"${SYSTEM_PROGRAM}","executable":false,` +
        `"rentEpoch":18446744073709551615,"data":"","parsedData":null}`,
    );
  });

  it("contains every account except programs, their code and the ledger's built-in accounts, by address", async () => {
    const addresses = Object.keys(await exported());
    expect(addresses).toEqual(addresses.toSorted());
    expect(addresses).toEqual(expect.arrayContaining([at(1), at(2), USDC_MINT, node.ledger.faucet]));
    for (const address of [MEMO_PROGRAM, PERMISSION_PROGRAM, deriveProgramData(PERMISSION_PROGRAM), CLOCK]) {
      expect(addresses).not.toContain(address);
    }
  });

  it('includes programs with their code if requested, and never built-in accounts of the ledger', async () => {
    const addresses = Object.keys(await exported({ filter: { includeProgramAccounts: true } }));
    for (const address of [MEMO_PROGRAM, PERMISSION_PROGRAM, deriveProgramData(PERMISSION_PROGRAM)]) {
      expect(addresses).toContain(address);
    }
    expect(addresses).not.toContain(CLOCK);
    expect(addresses).not.toContain(SYSTEM_PROGRAM);
  });

  it('contains the included accounts and none of the excluded ones', async () => {
    const filter = { includeAccounts: [MEMO_PROGRAM, CLOCK, at(2)], excludeAccounts: [at(2)] };
    const addresses = Object.keys(await exported({ scope: 'network', filter }));
    expect(addresses).toEqual(expect.arrayContaining([MEMO_PROGRAM, CLOCK]));
    expect(addresses).not.toContain(at(2));
    expect(addresses).not.toContain(PERMISSION_PROGRAM);
  });

  it('shows parsed data if requested', async () => {
    expect((await exported({ includeParsedAccounts: true }))[USDC_MINT]).toMatchObject({
      owner: TOKEN_PROGRAM,
      parsedData: { program: 'spl-token', parsed: { type: 'mint', info: { decimals: 6 } } },
    });
  });

  it.each([
    [
      { scope: { preTransaction: 'x' } },
      'scope preTransaction is not supported, because past account states are not stored; use network',
    ],
    [{ scope: 'world' }, 'Invalid params: unknown variant `world`, expected `network` or `preTransaction`.'],
    [{ filter: { excludeAccounts: ['me'] } }, 'Invalid param: WrongSize'],
  ])('rejects %j', async (config, message) => {
    expect((await node.call('surfnet_exportSnapshot', config)).error).toEqual({ code: -32602, message });
  });
});
