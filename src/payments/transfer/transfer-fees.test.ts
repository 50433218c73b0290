import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../programs/addresses.ts';
import { AMOUNT_MAX } from '../fields/fields.ts';
import { sumTransfer } from './fees.ts';
import type { Route } from './request.ts';

const platform = (amount: bigint) => ({ amount, account: USDC_MINT });

describe('sumTransfer', () => {
  it('adds the fee of the private route to an exact amount', () => {
    const sums = sumTransfer({ route: 'privateBase', amount: 5_000_000n, exactOut: true }, null, 0n);
    expect(sums).toMatchObject({
      moved: 5_000_000n,
      received: 5_000_000n,
      routeFee: 5_000n,
      debited: 5_005_000n,
    });
  });

  it('otherwise deducts it from the amount, after the platform fee', () => {
    const transfer = { route: 'privateBase', amount: 1_000_000n, exactOut: false } as const;
    expect(sumTransfer(transfer, platform(10_000n), 200_000n)).toEqual({
      moved: 990_000n,
      received: 989_010n,
      routeFee: 990n,
      platformFee: 10_000n,
      relayFee: 200_000n,
      debited: 1_200_000n,
    });
  });

  it('rounds the fee of the route down', () => {
    const feeOf = (amount: bigint) =>
      sumTransfer({ route: 'privateBase', amount, exactOut: true }, null, 0n).routeFee;
    expect([999n, 1_000n, 1_999n].map(feeOf)).toEqual([0n, 1n, 1n]);
  });

  it.each<Route>(['publicBase', 'baseToEphemeral', 'ephemeral', 'ephemeralToBase'])(
    'knows none on %s',
    (route) => {
      expect(sumTransfer({ route, amount: 1_000_000n, exactOut: true }, null, 0n)).toMatchObject({
        routeFee: 0n,
        debited: 1_000_000n,
      });
    },
  );

  it('loses nothing: the debit equals the received amount and all fees', () => {
    const routes = fc.constantFrom<Route>('publicBase', 'privateBase');
    fc.assert(
      fc.property(
        routes,
        fc.bigInt(1n, 2n ** 62n),
        fc.bigInt(0n, 9_999n),
        fc.boolean(),
        (route, amount, bps, exactOut) => {
          const fee = (amount * bps) / 10_000n;
          const sums = sumTransfer({ route, amount, exactOut }, fee === 0n ? null : platform(fee), 200_000n);
          expect(sums.received + sums.routeFee + sums.platformFee + sums.relayFee).toBe(sums.debited);
          if (exactOut) expect(sums.received).toBe(amount);
          else expect(sums.debited).toBe(amount + 200_000n);
        },
      ),
    );
  });

  it('rejects more than a token account can hold', () => {
    const sum = (amount: bigint, relayFee: bigint) => () =>
      sumTransfer({ route: 'publicBase', amount, exactOut: true }, null, relayFee);
    expect(sum(AMOUNT_MAX, 0n)().debited).toBe(AMOUNT_MAX);
    expect(sum(AMOUNT_MAX, 1n)).toThrow(expect.objectContaining({ code: 'INVALID_AMOUNT' }));
  });
});
