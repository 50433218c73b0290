import { describe, expect, it } from 'vitest';
import { type Judgment, judgeSpending, type Past, shapeOf } from './judge-spending.ts';
import type { SpendingPolicy } from './policy.ts';
import { readSpending, SOL } from './spending.ts';
import { explainedPayment, PAYER, SHOP, TOKEN, USDC } from './testing/payment.ts';

const NEVER: Past = { hour: new Map(), day: new Map(), resembling: () => [] };

/** {@link SHOP} was paid before. */
const paid = (...recipients: readonly string[]): Past => ({
  ...NEVER,
  resembling: (recipient) => recipients.filter((each) => shapeOf(each) === shapeOf(recipient)),
});

const ANY: SpendingPolicy = { mints: { [USDC]: {}, [SOL]: {} } };

const judge = (
  policy: Partial<SpendingPolicy>,
  payment: Parameters<typeof explainedPayment>[0] = {},
  past: Past = paid(SHOP),
): Judgment => judgeSpending({ ...ANY, ...policy }, readSpending(explainedPayment(payment)), past);

const rulesOf = (judgment: Judgment): string[] =>
  judgment.kind === 'allow' ? [] : judgment.breaches.map(({ rule }) => rule);

describe('judgeSpending()', () => {
  it('allows a payment to an earlier recipient of a mint without caps', () => {
    expect(judge({})).toEqual({ kind: 'allow', cautions: [] });
  });

  it.each([
    ['payment', 99n, 0n, 99n],
    ['hour', 150n, 60n, 90n],
    ['hour', 50n, 60n, 0n],
    ['day', 1_000n, 901n, 99n],
  ] as const)(
    'refuses a payment above the cap per %s, and names what is left',
    (period, cap, spent, left) => {
      const past = { ...paid(SHOP), hour: new Map([[USDC, spent]]), day: new Map([[USDC, spent]]) };
      expect(judge({ mints: { [USDC]: { [period]: cap } } }, {}, past)).toEqual({
        kind: 'refuse',
        cautions: [],
        breaches: [
          {
            rule: `mints.${USDC}.${period}`,
            figure: '100',
            left,
            message: `The payment takes 100 base units, but only ${left} of mints.${USDC}.${period} = ${cap} are left.`,
          },
        ],
      });
    },
  );

  it('allows a payment that uses up each cap', () => {
    const past = { ...paid(SHOP), hour: new Map([[USDC, 60n]]), day: new Map([[USDC, 70n]]) };
    expect(judge({ mints: { [USDC]: { payment: 100n, hour: 160n, day: 170n } } }, {}, past)).toMatchObject({
      kind: 'allow',
    });
  });

  it('refuses a mint that has no entry, lamports included', () => {
    expect(rulesOf(judge({ mints: {} }, { lamports: 5_000n }))).toEqual(['mints', 'mints']);
    expect(rulesOf(judge({ mints: { [USDC]: {} } }, { lamports: 5_000n }))).toEqual(['mints']);
    expect(rulesOf(judge({ mints: { [USDC]: {} } }, { lamports: -5_000n }))).toEqual([]);
  });

  it.each([
    ['recipients', SHOP],
    ['programs', TOKEN],
  ])('refuses what is not in %s', (list, found) => {
    expect(judge({ [list]: [] })).toMatchObject({
      kind: 'refuse',
      breaches: [{ rule: list, figure: found, left: null }],
    });
    expect(judge({ [list]: [found] })).toMatchObject({ kind: 'allow' });
  });

  it('refuses a validator that is not in the list, whether it is a field or an account', () => {
    const explained = {
      ...explainedPayment(),
      instructions: [
        { programId: TOKEN, accounts: [], fields: [{ name: 'validator', value: 'one' }] },
        { programId: TOKEN, accounts: [{ role: 'validator', address: 'other' }], fields: [] },
      ],
    };
    const policy = { ...ANY, validators: ['one'] };
    expect(judgeSpending(policy, readSpending(explained), paid(SHOP))).toMatchObject({
      breaches: [{ rule: 'validators', figure: 'other' }],
    });
  });

  it('refuses every danger that the explanation found, and asks about a caution', () => {
    const finding = (level: 'danger' | 'caution' | 'note') => ({ level, code: level, message: 'Why.' });
    const all = [finding('danger'), finding('caution'), finding('note')];
    expect(judge({ accept: ['danger'] }, { findings: all })).toMatchObject({
      kind: 'refuse',
      breaches: [{ rule: 'danger', figure: 'danger' }],
    });
    const unusual = { findings: [finding('caution')] };
    expect(judge({}, unusual)).toMatchObject({
      kind: 'ask',
      breaches: [{ rule: 'accept', figure: 'caution' }],
    });
    expect(judge({ accept: ['caution'] }, unusual)).toEqual({
      kind: 'allow',
      cautions: [{ code: 'caution', message: 'Why.' }],
    });
  });

  it('asks about a payment above askAbove, and refuses it above a cap', () => {
    const mints = { [USDC]: { askAbove: 99n, payment: 150n } };
    expect(judge({ mints })).toMatchObject({
      kind: 'ask',
      breaches: [{ rule: `mints.${USDC}.askAbove`, figure: '100', left: 99n }],
    });
    expect(judge({ mints }, { amount: 99n }).kind).toBe('allow');
    expect(judge({ mints }, { amount: 151n }).kind).toBe('refuse');
  });

  it('asks about a recipient that was never paid, unless the policy names it', () => {
    expect(rulesOf(judge({}, {}, NEVER))).toEqual(['accept']);
    expect(judge({ accept: ['RECIPIENT_NEW'] }, {}, NEVER)).toMatchObject({
      kind: 'allow',
      cautions: [{ code: 'RECIPIENT_NEW' }],
    });
    expect(judge({ recipients: [SHOP] }, {}, NEVER)).toEqual({ kind: 'allow', cautions: [] });
  });

  it('asks about a recipient that starts and ends like an earlier one (address poisoning)', () => {
    const alike = `${SHOP.slice(0, 4)}${'x'.repeat(36)}${SHOP.slice(-4)}`;
    const judgment = judge({ accept: ['RECIPIENT_NEW'] }, { to: alike });
    expect(judgment).toMatchObject({ kind: 'ask', breaches: [{ figure: 'RECIPIENT_RESEMBLES' }] });
    expect(judgment.cautions[0]?.message).toContain(SHOP);
    expect(judge({}, { to: alike }, paid(SHOP, alike)).kind).toBe('allow');
  });

  it('allows nothing in a dry run, and names other rules first', () => {
    expect(rulesOf(judge({ dryRun: true }))).toEqual(['dryRun']);
    expect(rulesOf(judge({ dryRun: true, recipients: [] }))).toEqual(['recipients']);
  });

  it.each([
    ['without a wallet', { wallet: undefined }],
    ['without a ledger', { chainRead: false }],
    ['with unknown lamports', { wallet: { address: PAYER, tokens: [], lamportsMin: null } }],
  ])('refuses an explanation %s', (_, part) => {
    const spending = readSpending({ ...explainedPayment(), ...part });
    expect(rulesOf(judgeSpending(ANY, spending, paid(SHOP)))).toEqual(['unverified']);
  });
});
