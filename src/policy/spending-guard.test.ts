import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tables } from '../ports/tables.ts';
import { TABLES_ADAPTERS } from '../state/testing/tables-adapters.ts';
import { readPolicy } from './policy.ts';
import { readSpending, SOL } from './spending.ts';
import {
  type GuardVerdict,
  type Reservation,
  SpendingGuard,
  type SpendingOutcome,
} from './spending-guard.ts';
import { explainedPayment, SHOP, USDC } from './testing/payment.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const ACCEPT = ['RECIPIENT_NEW'];

const clockAt = (nowMs: number) => {
  const clock = { nowMs, now: () => clock.nowMs };
  return clock;
};

function open(tables: Tables, caps: object = { hour: 100, day: 150 }) {
  const clock = clockAt(DAY_MS + 30_000);
  const policy = readPolicy({ mints: { [USDC]: caps, [SOL]: {} }, accept: ACCEPT });
  const guards = [
    new SpendingGuard(policy, tables, clock),
    new SpendingGuard(policy, tables, clock),
  ] as const;
  const pay = (amount: bigint, at = 0, lamports = 0n): Promise<GuardVerdict> =>
    (guards[at % 2] as SpendingGuard).reserve(readSpending(explainedPayment({ amount, lamports })));
  return { clock, guards, pay };
}

function reservationOf(verdict: GuardVerdict): Reservation {
  if (verdict.kind !== 'allow') throw new Error(`it is not allowed: ${JSON.stringify(verdict.cautions)}`);
  return verdict.reservation;
}

for (const [name, openTables] of TABLES_ADAPTERS)
  describe(`the reservations of a policy in ${name}`, () => {
    it('let parallel payments of all processes use up a cap together, and no more', async () => {
      const { pay } = open(openTables());
      const verdicts = await Promise.all(Array.from({ length: 20 }, (_, at) => pay(10n, at)));
      expect(verdicts.filter(({ kind }) => kind === 'allow')).toHaveLength(10);
      expect(await pay(1n)).toMatchObject({
        kind: 'refuse',
        breaches: [{ rule: `mints.${USDC}.hour`, figure: '1', left: 0n }],
      });
    });

    it('count for an hour and a day', async () => {
      const { pay, clock } = open(openTables());
      await pay(100n);
      clock.nowMs += HOUR_MS;
      expect((await pay(1n)).kind).toBe('refuse');
      clock.nowMs += MINUTE_MS;
      expect(await pay(51n)).toMatchObject({ breaches: [{ rule: `mints.${USDC}.day`, left: 50n }] });
      expect((await pay(50n)).kind).toBe('allow');
      clock.nowMs += DAY_MS + MINUTE_MS;
      expect((await pay(100n)).kind).toBe('allow');
    });

    it('still count if the clock was set back', async () => {
      const { pay, clock } = open(openTables());
      await pay(100n);
      clock.nowMs -= HOUR_MS;
      expect((await pay(1n)).kind).toBe('refuse');
    });

    it.each<[SpendingOutcome, bigint, bigint]>([
      ['landed', 0n, 0n],
      ['failed', 100n, 0n],
      ['expired', 100n, 100n],
    ])('that %s leave %i tokens and %i lamports', async (outcome, tokens, lamports) => {
      const policy = readPolicy({
        mints: { [USDC]: { hour: 100 }, [SOL]: { hour: 100 } },
        accept: ACCEPT,
      });
      const guard = new SpendingGuard(policy, openTables(), clockAt(DAY_MS));
      const all = readSpending(explainedPayment({ amount: 100n, lamports: 100n }));
      const reservation = reservationOf(await guard.reserve(all));
      await reservation.settle(outcome);
      // A second outcome changes nothing.
      await reservation.settle('expired');
      const more = await guard.reserve(readSpending(explainedPayment({ amount: 101n, lamports: 101n })));
      expect(more.kind === 'allow' ? [] : more.breaches.map(({ left }) => left)).toEqual([tokens, lamports]);
    });

    it('remember the recipients of payments that landed', async () => {
      const tables = openTables();
      const guard = new SpendingGuard(readPolicy({ mints: { [USDC]: {} } }), tables, clockAt(DAY_MS));
      const payment = readSpending(explainedPayment());
      expect((await guard.reserve(payment)).kind).toBe('ask');
      const approved = await guard.reserve(payment, true);
      expect(approved.cautions).toMatchObject([{ code: 'RECIPIENT_NEW' }]);
      expect((await guard.reserve(payment)).kind).toBe('ask');
      await reservationOf(approved).settle('landed');
      expect((await guard.reserve(payment)).kind).toBe('allow');
      const to = `${SHOP.slice(0, 4)}${'x'.repeat(36)}${SHOP.slice(-4)}`;
      expect(await guard.reserve(readSpending(explainedPayment({ to })))).toMatchObject({
        breaches: [{ figure: 'RECIPIENT_RESEMBLES' }],
      });
    });

    it('do not exceed a cap with an approval', async () => {
      const { guards } = open(openTables());
      const payment = readSpending(explainedPayment({ amount: 101n }));
      expect((await guards[0].reserve(payment, true)).kind).toBe('refuse');
    });

    it(
      'never exceed a cap in any hour or day, whatever their order and outcomes',
      { timeout: 60_000 },
      async () => {
        const step = fc.record({
          amounts: fc.array(fc.bigInt({ min: 1n, max: 60n }), { minLength: 1, maxLength: 4 }),
          outcome: fc.constantFrom<(SpendingOutcome | 'unknown')[]>('landed', 'failed', 'expired', 'unknown'),
          passMs: fc.integer({ min: 0, max: 8 * HOUR_MS }).map((ms) => (ms % 3 === 0 ? ms : ms % HOUR_MS)),
        });
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
            const { pay, clock } = open(openTables());
            const spent: { readonly at: number; readonly amount: bigint }[] = [];
            for (const { amounts, outcome, passMs } of steps) {
              const verdicts = await Promise.all(amounts.map((amount, at) => pay(amount, at)));
              const at = clock.nowMs;
              const before = spent.length;
              verdicts.forEach(({ kind }, index) => {
                if (kind === 'allow') spent.push({ at, amount: amounts[index] ?? 0n });
              });
              for (const [windowMs, cap] of [
                [HOUR_MS, 100n],
                [DAY_MS, 150n],
              ] as const) {
                const sum = spent
                  .filter((each) => each.at > at - windowMs)
                  .reduce((total, { amount }) => total + amount, 0n);
                expect(sum).toBeLessThanOrEqual(cap);
              }
              clock.nowMs += passMs;
              if (outcome === 'unknown') continue;
              for (const verdict of verdicts)
                if (verdict.kind === 'allow') await verdict.reservation.settle(outcome);
              if (outcome !== 'landed') spent.length = before;
            }
          }),
          { numRuns: name === 'memory' ? 200 : 10 },
        );
      },
    );
  });
