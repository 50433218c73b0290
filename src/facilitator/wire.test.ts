import { describe, expect, it } from 'vitest';
import { parsePaymentRequest } from './wire.ts';

const terms = { scheme: 'exact', network: 'solana', asset: 'mint', payTo: 'owner', maxTimeoutSeconds: 60 };
const payload = { transaction: 'AQ==' };

const bodyOfV1 = (changes: object = {}) => ({
  x402Version: 1,
  paymentPayload: { x402Version: 1, scheme: 'exact', network: 'solana', payload },
  paymentRequirements: {
    ...terms,
    maxAmountRequired: '7',
    extra: { feePayer: 'payer', memo: 'm' },
    ...changes,
  },
});

const bodyOfV2 = ({ required = {}, accepted = {}, sent = {} }: Record<string, object> = {}) => ({
  x402Version: 2,
  paymentPayload: { x402Version: 2, accepted: { ...terms, amount: '7', ...accepted }, payload, ...sent },
  paymentRequirements: { ...terms, amount: '7', ...required },
});

const identified = (info: object) => bodyOfV2({ sent: { extensions: { 'payment-identifier': { info } } } });

describe('parsePaymentRequest', () => {
  it('parses version 1', () => {
    expect(parsePaymentRequest(bodyOfV1())).toEqual({
      version: 1,
      scheme: 'exact',
      network: 'solana',
      amount: 7n,
      asset: 'mint',
      payTo: 'owner',
      feePayer: 'payer',
      memo: 'm',
      settlement: null,
      accepted: { scheme: 'exact', network: 'solana', isRequired: true },
      transaction: 'AQ==',
      identifier: null,
    });
  });

  it('parses version 2', () => {
    const extra = { feePayer: 'payer', settlement: 'private' };
    expect(parsePaymentRequest(bodyOfV2({ required: { extra }, accepted: { extra } }))).toMatchObject({
      version: 2,
      amount: 7n,
      settlement: 'private',
      accepted: { scheme: 'exact', network: 'solana', isRequired: true },
    });
  });

  it('compares the accepted requirement, regardless of hints and of the order of members', () => {
    const isRequired = (accepted: object, required: object): boolean =>
      parsePaymentRequest(bodyOfV2({ accepted, required })).accepted.isRequired;
    const hints = { recentBlockhash: 'a', lastValidBlockHeight: '5' };
    expect(isRequired({ extra: { memo: 'm', ...hints } }, { extra: { memo: 'm' } })).toBe(true);
    expect(isRequired({ extra: null }, {})).toBe(true);
    expect(isRequired({ extra: { memo: 'm' } }, { extra: { memo: 'n' } })).toBe(false);
    expect(isRequired({ extra: { x: 1 } }, {})).toBe(false);
    expect(isRequired({ amount: '8' }, {})).toBe(false);
    expect(isRequired({ other: 1 }, {})).toBe(false);
  });

  it('returns the id of payment-identifier', () => {
    const id = 'pay_0123456789-abcdef';
    expect(parsePaymentRequest(identified({ required: true, id })).identifier).toBe(id);
    expect(parsePaymentRequest(identified({ required: false })).identifier).toBeNull();
  });

  it.each([
    ['no object', null],
    ['a list', []],
    ['no payload', { x402Version: 2, paymentRequirements: {} }],
    ['a number as amount', bodyOfV2({ required: { amount: 7 } })],
    ['a negative amount', bodyOfV2({ required: { amount: '-7' } })],
    ['the amount of the other version', { ...bodyOfV1({ maxAmountRequired: undefined, amount: '7' }) }],
    ['no recipient', bodyOfV2({ required: { payTo: undefined as never } })],
    ['a memo of 257 bytes', bodyOfV1({ extra: { memo: 'ä'.repeat(128) + 'x' } })],
    ['an unknown settlement', bodyOfV1({ extra: { settlement: 'public' } })],
    ['extra that is a text', bodyOfV1({ extra: 'memo' })],
    ['a short identifier', identified({ id: 'short' })],
    ['no identifier although it is required', identified({ required: true })],
  ])('rejects %s', (_, body) => {
    expect(() => parsePaymentRequest(body)).toThrow(expect.objectContaining({ reason: 'invalid_payload' }));
  });

  it.each([
    ['version 3', { ...bodyOfV2(), x402Version: 3 }],
    ['a version that is a text', { ...bodyOfV2(), x402Version: '2' }],
    ['no version', { paymentPayload: {}, paymentRequirements: {} }],
    ['two versions', { ...bodyOfV2(), x402Version: 1 }],
  ])('rejects %s', (_, body) => {
    expect(() => parsePaymentRequest(body)).toThrow(
      expect.objectContaining({ reason: 'invalid_x402_version' }),
    );
  });

  it('does not repeat the body in errors', () => {
    const body = bodyOfV2({ required: { amount: 'canary' }, sent: { canary: 'canary' } });
    expect(() => parsePaymentRequest(body)).toThrow(
      /^The request is not valid: paymentRequirements.amount: amount must be a decimal string of base units$/,
    );
  });
});
