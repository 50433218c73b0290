import { describe, expect, it } from 'vitest';
import { ServiceError } from '../errors/service-error.ts';
import type { Explanation } from '../payments/explain/answer/explanation-schema.ts';
import { readPolicy } from '../policy/policy.ts';
import { SOL } from '../policy/spending.ts';
import { SpendingGuard } from '../policy/spending-guard.ts';
import { explainedPayment, PAYER, SHOP, USDC } from '../policy/testing/payment.ts';
import { MemoryTables } from '../ports/tables.ts';
import type { Address } from '../solana/address.ts';
import { createPaymentCheck } from './payment-check.ts';

const PAYMENT = {
  transactionBase64: 'AQ==',
  sendTo: 'base',
  signers: [PAYER as Address],
  loggedIn: undefined,
} as const;

/** A check of payments of 60 USDC units, 100 of which are allowed in an hour. */
function open(policy: object = { recipients: [SHOP] }) {
  const mints = { [USDC]: { hour: 100 }, [SOL]: {} };
  const guard = new SpendingGuard(readPolicy({ mints, ...policy }), new MemoryTables(), { now: () => 0 });
  const explained: unknown[] = [];
  const check = createPaymentCheck({
    guard,
    approver: 'approver',
    explain: async (payment, wallet) => {
      explained.push([payment, wallet]);
      return explainedPayment({ amount: 60n }) as unknown as Explanation;
    },
  });
  return { check, explained };
}

type Outcome = 'sent' | 'confirmed' | 'expired';
const sends = (outcome: Outcome) => async () => ({ outcome });

const fails = (code: 'TRANSACTION_FAILED' | 'TRANSACTION_EXPIRED' | 'UPSTREAM_TIMEOUT') => () =>
  Promise.reject(new ServiceError(code, 'Why.'));

describe('the check of a spending policy', () => {
  it('explains the exact bytes for each wallet that signs, and returns what was sent', async () => {
    const { check, explained } = open();
    expect(await check(PAYMENT, sends('confirmed'))).toEqual({ outcome: 'confirmed' });
    expect(explained).toEqual([[PAYMENT, PAYER]]);
  });

  it('refuses with the rule, the figure and what is left, before anything is signed', async () => {
    const { check } = open();
    await check(PAYMENT, sends('confirmed'));
    const refused = check(PAYMENT, () => Promise.reject(new Error('it was signed')));
    await expect(refused).rejects.toMatchObject({
      code: 'POLICY_REFUSED',
      context: { rule: `mints.${USDC}.hour`, figure: '60', left: '40' },
    });
  });

  it('signs what a person must approve only after the login of the approver, and below the caps', async () => {
    const { check } = open({});
    await expect(check(PAYMENT, sends('confirmed'))).rejects.toMatchObject({
      code: 'POLICY_REFUSED',
      context: {
        rule: 'accept',
        figure: 'RECIPIENT_NEW',
        approver: 'approver',
        payment: `a payment of 60 base units of ${USDC} to ${SHOP}`,
      },
    });
    const others = check({ ...PAYMENT, loggedIn: PAYER }, sends('confirmed'));
    await expect(others).rejects.toMatchObject({ code: 'POLICY_REFUSED' });
    expect(await check({ ...PAYMENT, loggedIn: 'approver' }, sends('confirmed'))).toEqual({
      outcome: 'confirmed',
    });
    const above = check({ ...PAYMENT, loggedIn: 'approver' }, sends('confirmed'));
    await expect(above).rejects.toMatchObject({ context: { rule: `mints.${USDC}.hour`, left: '40' } });
  });

  it.each([
    ['failed', fails('TRANSACTION_FAILED'), true],
    ['expired', fails('TRANSACTION_EXPIRED'), true],
    ['expired while it was awaited', sends('expired'), true],
    ['may still land', sends('sent'), false],
    ['has an unknown outcome', fails('UPSTREAM_TIMEOUT'), false],
  ] as const)('counts no payment that failed or expired: it %s', async (_, send, isFree) => {
    const { check } = open();
    await check(PAYMENT, send).catch(() => null);
    const next = check(PAYMENT, sends('confirmed'));
    if (isFree) await next;
    else await expect(next).rejects.toMatchObject({ code: 'POLICY_REFUSED' });
  });
});
