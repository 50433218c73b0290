import { describe, expect, it } from 'vitest';
import { expectHosted, hostedCases } from '../../../test/vectors/hosted-cases.ts';
import type { Address } from '../../solana/address.ts';
import { planQueueCrank } from '../transfer-queue.ts';

describe('planQueueCrank', () => {
  const cases = hostedCases<{ payer: Address; mint: Address; validator: Address }>(
    'ensureTransferQueueCrank',
  );

  it('covers all vectors', () => {
    expect(cases).toHaveLength(1);
  });

  it.each(cases)('builds %s byte for byte', (_, vector) => {
    const { mint, validator, payer } = vector.input;
    expectHosted(vector, planQueueCrank(mint, validator, payer));
  });
});
