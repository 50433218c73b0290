import { describe, expect, it } from 'vitest';
import { effectsOf, readDeed, rentOf, type FullTransaction } from './full-transaction.ts';

const [PAYER, FROM, TO, MINT, NEW] = ['payer', 'from', 'to', 'mint', 'new'] as const;
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

const balance = (accountIndex: number, owner: string, amount: string) => ({
  accountIndex,
  owner,
  mint: MINT,
  uiTokenAmount: { amount, decimals: 6 },
});

/** A plain transfer of 5 base units, as its payer sees it: with the payer's balances only. */
function transfer(change: Partial<NonNullable<FullTransaction['meta']>> = {}): FullTransaction {
  const info = { source: FROM, destination: TO, amount: '5', authority: PAYER };
  return {
    slot: 9,
    blockTime: 1,
    transaction: {
      signatures: ['s'],
      message: {
        accountKeys: [PAYER, FROM, TO, NEW].map((pubkey) => ({ pubkey })),
        instructions: [{ programId: TOKEN_PROGRAM, parsed: { type: 'transfer', info } }],
      },
    },
    meta: {
      err: null,
      fee: 5000,
      preBalances: [1_000_000, 10, 10, 0],
      postBalances: [900_000, 10, 10, 95_000],
      preTokenBalances: [balance(1, PAYER, '12')],
      postTokenBalances: [balance(1, PAYER, '7')],
      ...change,
    },
  };
}

describe('readDeed()', () => {
  it('reads the mint of a plain transfer from its accounts', () => {
    expect(readDeed('rollup', transfer())).toMatchObject({ kind: 'payment', amount: 5n, mint: MINT });
  });

  it('omits an amount of an unknown mint', () => {
    const deed = readDeed('rollup', transfer({ preTokenBalances: [], postTokenBalances: null }));
    expect(deed).toMatchObject({ kind: 'payment', amount: null, mint: null });
  });
});

describe('effectsOf()', () => {
  it('lists tokens before SOL, and separates rent of new accounts from gains', () => {
    expect(effectsOf(transfer())).toEqual([
      { party: PAYER, account: FROM, mint: MINT, decimals: 6, change: -5n, isRent: false },
      { party: PAYER, account: PAYER, mint: null, decimals: 9, change: -100_000n, isRent: false },
      { party: NEW, account: NEW, mint: null, decimals: 9, change: 95_000n, isRent: true },
    ]);
    expect(rentOf(transfer())).toBe(95_000n);
  });

  it('returns nothing if the node has no balances', () => {
    const told = transfer({
      preBalances: [],
      postBalances: [],
      preTokenBalances: null,
      postTokenBalances: null,
    });
    expect([effectsOf(told), rentOf(told)]).toEqual([[], 0n]);
    expect(effectsOf({ ...told, meta: null })).toEqual([]);
  });
});
