import { describe, expect, it } from 'vitest';
import { readSpending, SOL } from './spending.ts';
import { explainedPayment, PAYER, SHOP, USDC } from './testing/payment.ts';

const base = explainedPayment();

const change = (owner: string | null, by: bigint | null, held: string | null = null) => ({
  owner,
  account: null,
  mint: USDC,
  held,
  change: by,
});

const withTokens = (...tokens: ReturnType<typeof change>[]) =>
  readSpending({ ...base, effects: { tokens, lamports: [] } });

describe('readSpending()', () => {
  it('reads amounts as text and as bigints', () => {
    const { amounts } = readSpending(explainedPayment({ amount: 7n, lamports: 5_000n }));
    expect([...amounts]).toEqual([
      [USDC, 7n],
      [SOL, 5_000n],
    ]);
  });

  it('does not offset what leaves one balance by what enters another', () => {
    const wallet = { address: PAYER, tokens: [change(PAYER, -5n), change(PAYER, 5n)], lamportsMin: 0n };
    expect(readSpending({ ...base, wallet }).amounts.get(USDC)).toBe(5n);
  });

  it('adds up the wallets that sign, which are no recipients of each other', () => {
    const other = { ...base, wallet: { address: SHOP, tokens: [change(SHOP, -1n)], lamportsMin: -2n } };
    const { amounts, recipients } = readSpending(base, other);
    expect([amounts.get(USDC), amounts.get(SOL), recipients]).toEqual([101n, 2n, []]);
  });

  it('counts tokens of owners that do not sign, because a wallet can be their delegate', () => {
    expect(withTokens(change('owner', -9n), change(SHOP, 9n)).amounts.get(USDC)).toBe(109n);
    expect(withTokens(change('vault', -9n, 'vault')).amounts.get(USDC)).toBe(100n);
    expect(withTokens(change(PAYER, -9n)).amounts.get(USDC)).toBe(100n);
  });

  it('does not know the amount if the explanation does not', () => {
    const wallet = { address: PAYER, tokens: [change(PAYER, null)], lamportsMin: 0n };
    expect(readSpending({ ...base, wallet }).isKnown).toBe(false);
  });

  it('names the recipients of tokens and lamports, without the vault and the fee account', () => {
    const explained = {
      ...base,
      effects: {
        tokens: [change(PAYER, -9n), change('vault', 9n, 'vault'), change(SHOP, 9n, 'queue')],
        lamports: [
          { address: PAYER, change: '-3' },
          { address: 'fees', change: '1' },
          { address: 'friend', change: '2' },
        ],
      },
      instructions: [{ programId: 'p', accounts: [{ role: 'rentPda', address: 'fees' }], fields: [] }],
    };
    expect(readSpending(explained)).toMatchObject({ recipients: [SHOP, 'friend'], hidesRecipient: false });
  });

  it('reports that a recipient is encrypted', () => {
    expect(withTokens(change(null, 9n, 'sealed'))).toMatchObject({ recipients: [], hidesRecipient: true });
  });
});
