import { describe, expect, it } from 'vitest';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { readonly, writable } from '../../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { mintAccount } from '../genesis/genesis.ts';
import { Accounts } from '../state/accounts.ts';
import { accountOf, tokenAccount } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { collectTokenBalances, type TokenBalances } from './token-balances.ts';

const random = new SeededRandom('balances');
const [payer, holder, mint, owner] = Array.from({ length: 4 }, () => addressOf(random.bytes(32))) as [
  Address,
  Address,
  Address,
  Address,
];
const keys = { mint, owner };

/** Names `holder` and a token program, unless another program is given. */
function build(programId: Address = TOKEN_PROGRAM, others: readonly Address[] = []): Transaction {
  const accounts = [writable(holder), ...others.map(readonly)];
  const instructions = [{ programId, accounts, data: new Uint8Array(0) }];
  const message = compileLegacyMessage({ feePayer: payer, blockhash: new Uint8Array(32), instructions });
  return decodeTransaction(encodeUnsignedTransaction(message));
}

interface World {
  readonly before?: Account;
  readonly after?: Account;
  readonly mint?: Account;
  readonly mintAfter?: Account;
  readonly transaction?: Transaction;
}

function collect({
  before,
  after,
  mint: mintBefore,
  mintAfter,
  transaction = build(),
}: World): TokenBalances {
  const accounts = new Accounts();
  if (mintBefore !== undefined) accounts.set(mint, mintBefore);
  if (before !== undefined) accounts.set(holder, before);
  const states = { before: [] as (Account | undefined)[], after: [] as (Account | undefined)[] };
  for (const address of transaction.staticKeys) {
    states.before.push(accounts.get(address));
    states.after.push(address === holder ? after : address === mint ? mintAfter : accounts.get(address));
  }
  return collectTokenBalances(transaction, transaction.staticKeys, states, accounts);
}

const usdc = mintAccount(null, 6);
const entry = (amount: bigint, decimals = 6) => ({
  accountIndex: build().staticKeys.indexOf(holder),
  mint,
  owner,
  programId: TOKEN_PROGRAM,
  amount,
  decimals,
});

describe('collectTokenBalances', () => {
  it('returns the balances of an account before and after', () => {
    const balances = collect({
      before: tokenAccount(keys, 5n),
      after: tokenAccount(keys, 2n, { state: 2 }),
      mint: usdc,
    });
    expect(balances).toEqual({ preTokenBalances: [entry(5n)], postTokenBalances: [entry(2n)] });
  });

  it('has entries only on the sides where the account exists', () => {
    expect(collect({ after: tokenAccount(keys, 2n), mint: usdc })).toEqual({
      preTokenBalances: [],
      postTokenBalances: [entry(2n)],
    });
    expect(collect({ before: tokenAccount(keys, 2n), mint: usdc })).toEqual({
      preTokenBalances: [entry(2n)],
      postTokenBalances: [],
    });
  });

  it('follows an account to another owner or mint', () => {
    const other = { mint, owner: payer };
    expect(collect({ before: tokenAccount(keys, 2n), after: tokenAccount(other, 2n), mint: usdc })).toEqual({
      preTokenBalances: [entry(2n)],
      postTokenBalances: [{ ...entry(2n), owner: payer }],
    });
  });

  it('reads decimals as of each side: a mint made in the transaction has none before', () => {
    const transaction = build(TOKEN_PROGRAM, [mint]);
    const made = collect({ after: tokenAccount(keys, 1n), mintAfter: mintAccount(null, 9), transaction });
    expect(made.postTokenBalances.map(({ decimals }) => decimals)).toEqual([9]);
    const closed = collect({
      before: tokenAccount(keys, 1n),
      after: tokenAccount(keys, 1n),
      mint: usdc,
      transaction,
    });
    expect([closed.preTokenBalances.length, closed.postTokenBalances.length]).toEqual([1, 0]);
  });

  it.each<[string, World]>([
    [
      'no token program is named',
      { before: tokenAccount(keys, 5n), mint: usdc, transaction: build(MEMO_PROGRAM) },
    ],
    [
      'the account is called as a program',
      { before: tokenAccount(keys, 5n), mint: usdc, transaction: build(holder, [TOKEN_PROGRAM]) },
    ],
    ['it is uninitialized', { before: tokenAccount(keys, 5n, { state: 0 }), mint: usdc }],
    [
      'it belongs to another program',
      { before: tokenAccount(keys, 5n, { program: SYSTEM_PROGRAM }), mint: usdc },
    ],
    ['its mint is missing', { before: tokenAccount(keys, 5n) }],
    [
      'its mint belongs to the other token program',
      { before: tokenAccount(keys, 5n), mint: { ...usdc, owner: TOKEN_2022_PROGRAM } },
    ],
    [
      'its mint is not a mint',
      { before: tokenAccount(keys, 5n), mint: accountOf(TOKEN_PROGRAM, new Uint8Array(82)) },
    ],
  ])('has no entry if %s', (_, world) => {
    const after = world.before as Account;
    expect(collect({ ...world, after })).toEqual({ preTokenBalances: [], postTokenBalances: [] });
  });

  it('counts Token-2022 accounts if their program is named', () => {
    const account = tokenAccount(keys, 5n, { program: TOKEN_2022_PROGRAM });
    const transaction = build(TOKEN_2022_PROGRAM);
    const balances = collect({
      before: account,
      after: account,
      mint: { ...usdc, owner: TOKEN_2022_PROGRAM },
      transaction,
    });
    expect(balances.preTokenBalances).toEqual([{ ...entry(5n), programId: TOKEN_2022_PROGRAM }]);
    expect(balances.postTokenBalances).toEqual(balances.preTokenBalances);
  });
});
