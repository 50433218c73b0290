import { describe, expect, it } from 'vitest';
import { type DeliveryRequest, deliveryTermsOf } from './request.ts';

const NOTHING = { minDelayMs: 0n, maxDelayMs: 0n, split: 1, clientRefId: null };

describe('deliveryTermsOf', () => {
  it.each<[string, DeliveryRequest, object]>([
    ['nothing', {}, {}],
    ['a minimum, which is also the maximum', { minDelayMs: 100n }, { minDelayMs: 100n, maxDelayMs: 100n }],
    ['a maximum, with a minimum of 0', { maxDelayMs: 5n }, { maxDelayMs: 5n }],
    ['the longest delay', { maxDelayMs: 600_000n }, { maxDelayMs: 600_000n }],
    ['the most parts', { split: 15 }, { split: 15 }],
    ['a reference of 0, which counts as given', { clientRefId: 0n }, { clientRefId: 0n }],
  ])('accepts %s', (_, request, terms) => {
    expect(deliveryTermsOf(request, 1_000n)).toEqual({ ...NOTHING, ...terms });
  });

  it.each<[DeliveryRequest, string, string]>([
    [{ minDelayMs: -1n, maxDelayMs: -2n, split: 0 }, 'minDelayMs', 'minDelayMs must be non-negative'],
    [{ maxDelayMs: -1n, clientRefId: -1n }, 'maxDelayMs', 'maxDelayMs must be non-negative'],
    [{ clientRefId: -1n, minDelayMs: 9n, maxDelayMs: 1n }, 'clientRefId', 'clientRefId must be non-negative'],
    [
      { minDelayMs: 600_002n, maxDelayMs: 600_001n },
      'maxDelayMs',
      'maxDelayMs must be greater than or equal to minDelayMs',
    ],
    [{ maxDelayMs: 600_001n, split: 0 }, 'maxDelayMs', 'maxDelayMs must be less than or equal to 600000'],
    [{ minDelayMs: 600_001n }, 'minDelayMs', 'maxDelayMs must be less than or equal to 600000'],
    [{ split: 0 }, 'split', 'split must be an integer between 1 and 15'],
    [{ split: 16 }, 'split', 'split must be an integer between 1 and 15'],
    [{ split: 1.5 }, 'split', 'split must be an integer between 1 and 15'],
    [{ split: 11 }, 'split', 'split cannot exceed transfer amount'],
  ])('rejects %o by its first fault', (request, field, message) => {
    expect(() => deliveryTermsOf(request, 10n)).toThrow(
      expect.objectContaining({ code: 'INVALID_PRIVATE_TRANSFER', message, context: { field } }),
    );
  });

  it('does not limit parts if nothing is split', () => {
    expect(deliveryTermsOf({ split: 15 }, null)).toMatchObject({ split: 15 });
  });
});
