import { beforeAll, describe, expect, it } from 'vitest';
import { mintAccount } from '../../../ledger/genesis/genesis.ts';
import { accountOf } from '../../../ledger/testing/make-account.ts';
import { buildTransaction } from '../../../ledger/testing/test-ledger.ts';
import { NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../../programs/associated-token.ts';
import { closeTokenAccount, transferTokens } from '../../../programs/token/instructions.ts';
import { decodeMint, decodeTokenAccount } from '../../../programs/token/state.ts';
import { type Account, rentExemptMinimum } from '../../../solana/account.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { mintData, withExtensions } from '../../testing/token-accounts.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

let node: OperatedNode;
beforeAll(async () => {
  node = await openOperatedNode();
});

const ataOf = (owner: Address, mint: Address, program = TOKEN_PROGRAM): Address =>
  deriveAta(owner, mint, program).address;
const dataAt = (address: Address): Uint8Array => node.ledger.getAccount(address)?.data ?? new Uint8Array(0);
const supplyOf = (mint: Address): bigint | undefined => decodeMint(dataAt(mint))?.supply;
const set = (owner: Address, mint: Address, ...rest: unknown[]) =>
  node.call('surfnet_setTokenAccount', owner, mint, ...rest);

describe('surfnet_setTokenAccount', () => {
  it('creates an account whose tokens can be spent, and counts them in the supply', async () => {
    const alice = await node.fundedWallet();
    const before = supplyOf(USDC_MINT) ?? 0n;
    expect(await set(alice.address, USDC_MINT, { amount: 1_000 })).toMatchObject({ result: { value: null } });
    await set(at(2), USDC_MINT, { amount: '5' }, TOKEN_PROGRAM);
    expect(supplyOf(USDC_MINT)).toBe(before + 1_005n);
    const accounts = {
      source: ataOf(alice.address, USDC_MINT),
      destination: ataOf(at(2), USDC_MINT),
      authority: alice.address,
    };
    const transfer = transferTokens(TOKEN_PROGRAM, accounts, 600n);
    expect(await node.ledger.submit(buildTransaction(node.ledger, [alice], [transfer]))).toMatchObject({
      err: null,
    });
    expect(decodeTokenAccount(dataAt(accounts.destination))?.amount).toBe(605n);

    await set(alice.address, USDC_MINT, { amount: 0 });
    expect(supplyOf(USDC_MINT)).toBe(before + 605n);
    const parties = { account: accounts.source, destination: at(9), authority: alice.address };
    const close = closeTokenAccount(TOKEN_PROGRAM, parties);
    expect(await node.ledger.submit(buildTransaction(node.ledger, [alice], [close]))).toMatchObject({
      err: null,
    });
  });

  it('changes only the given fields', async () => {
    await set(at(3), USDC_MINT, { amount: 9 });
    await set(at(3), USDC_MINT, {
      delegate: at(4),
      delegatedAmount: 7,
      closeAuthority: at(5),
      state: 'frozen',
    });
    const state = () => decodeTokenAccount(dataAt(ataOf(at(3), USDC_MINT)));
    expect(state()).toMatchObject({
      mint: USDC_MINT,
      owner: at(3),
      amount: 9n,
      delegate: at(4),
      delegatedAmount: 7n,
      closeAuthority: at(5),
      state: 'frozen',
    });
    await set(at(3), USDC_MINT, { delegate: 'null', closeAuthority: 'null', state: 'initialized' });
    expect(state()).toMatchObject({ amount: 9n, delegate: null, closeAuthority: null, state: 'initialized' });
  });

  it('backs wrapped SOL with lamports', async () => {
    const alice = await node.fundedWallet();
    await set(alice.address, NATIVE_MINT, { amount: 1_000_000_000 });
    const ata = ataOf(alice.address, NATIVE_MINT);
    expect(node.ledger.getAccount(ata)?.lamports).toBe(rentExemptMinimum(165) + 1_000_000_000n);
    expect(supplyOf(NATIVE_MINT)).toBe(0n);
    const before = node.ledger.getAccount(alice.address)?.lamports ?? 0n;
    const close = closeTokenAccount(TOKEN_PROGRAM, {
      account: ata,
      destination: alice.address,
      authority: alice.address,
    });
    expect(await node.ledger.submit(buildTransaction(node.ledger, [alice], [close]))).toMatchObject({
      err: null,
    });
    const gained = (node.ledger.getAccount(alice.address)?.lamports ?? 0n) - before;
    expect(gained).toBe(rentExemptMinimum(165) + 1_000_000_000n - 5_000n);
  });

  it.each<[string, readonly (readonly [number, Uint8Array])[]]>([
    ['no extensions', []],
    ['transfer fees', [[1, new Uint8Array(108)]]],
    [
      'a transfer hook, frozen from the start',
      [
        [14, new Uint8Array(64)],
        [6, Uint8Array.of(2)],
      ],
    ],
    [
      'pausable and not transferable',
      [
        [26, new Uint8Array(33)],
        [9, new Uint8Array(0)],
      ],
    ],
  ])('makes the account that Token-2022 makes for a mint with %s', async (_, extensions) => {
    const alice = await node.fundedWallet();
    const mint = at(100 + extensions.length * 7 + (extensions[0]?.[0] ?? 0));
    const base = mintData({ mintAuthority: at(1), freezeAuthority: at(1) });
    const data = extensions.length === 0 ? base : withExtensions(base, 1, extensions);
    await node.ledger.setAccounts([[mint, accountOf(TOKEN_2022_PROGRAM, new Uint8Array(data))]]);

    const owner = at(7);
    const theirs = ataOf(owner, mint, TOKEN_2022_PROGRAM);
    const create = createAtaIdempotent({
      payer: alice.address,
      ata: theirs,
      owner,
      mint,
      tokenProgram: TOKEN_2022_PROGRAM,
    });
    expect(await node.ledger.submit(buildTransaction(node.ledger, [alice], [create]))).toMatchObject({
      err: null,
    });

    await set(at(8), mint, {});
    const ours = node.ledger.getAccount(ataOf(at(8), mint, TOKEN_2022_PROGRAM)) as Account;
    const expected = new Uint8Array(dataAt(theirs));
    expected.set(addressBytes(at(8)), 32);
    expect(Buffer.from(ours.data).toString('hex')).toBe(Buffer.from(expected).toString('hex'));
    expect(ours.lamports).toBe(node.ledger.getAccount(theirs)?.lamports);
  });

  it.each<[readonly unknown[], string]>([
    [[at(1), at(99), {}], `${at(99)} is not a mint`],
    [
      [at(1), USDC_MINT, {}, TOKEN_2022_PROGRAM],
      `the mint ${USDC_MINT} belongs to the token program ${TOKEN_PROGRAM}`,
    ],
    [
      [at(1), USDC_MINT, { state: 'closed' }],
      'Invalid params: unknown variant `closed`, expected one of `uninitialized`, `initialized`, `frozen`.',
    ],
    [[at(1), USDC_MINT, { delegate: 'me' }], 'Invalid param: WrongSize'],
    [[at(1)], '`params` should have at least 3 argument(s)'],
  ])('rejects %j', async (params, message) => {
    expect((await node.call('surfnet_setTokenAccount', ...params)).error).toEqual({ code: -32602, message });
  });

  it('counts all tokens in the supply when many calls come at once', async () => {
    const before = supplyOf(USDC_MINT) ?? 0n;
    const owners = Array.from({ length: 40 }, (_, index) => at(180 + index));
    await Promise.all(owners.map((owner) => set(owner, USDC_MINT, { amount: 1_000 })));
    expect(supplyOf(USDC_MINT)).toBe(before + 40_000n);
  });

  it('rejects a supply larger than a u64', async () => {
    await node.ledger.setAccounts([[at(60), mintAccount(null, 0)]]);
    const most = '18446744073709551615';
    expect(await set(at(1), at(60), { amount: most })).toMatchObject({ result: { value: null } });
    expect((await set(at(2), at(60), { amount: 1 })).error).toMatchObject({
      code: -32602,
      message: `the supply of ${at(60)} would exceed a u64`,
    });
  });
});
