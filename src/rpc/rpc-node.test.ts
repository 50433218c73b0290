import { describe, expect, it } from 'vitest';
import { inContext, readHead } from './rpc-method.ts';
import { FIXED_HEAD, FixedLedger } from './testing/fixed-ledger.ts';

const node = { ledger: new FixedLedger(), version: '4.2.1', featureSet: 0 };

describe('readHead()', () => {
  it('returns the head to callers that require this slot or an earlier one', () => {
    expect(readHead(node, undefined)).toBe(FIXED_HEAD);
    expect(readHead(node, { minContextSlot: undefined })).toBe(FIXED_HEAD);
    expect(readHead(node, { minContextSlot: 4711n })).toBe(FIXED_HEAD);
  });

  it('rejects callers that require a later one and names the node’s slot', () => {
    expect(() => readHead(node, { minContextSlot: 4712n })).toThrow(
      expect.objectContaining({
        code: -32016,
        message: 'Minimum context slot has not been reached',
        data: { contextSlot: 4711 },
      }),
    );
  });
});

describe('inContext()', () => {
  it('names the version and the slot', () => {
    expect(inContext(node, 7, null)).toEqual({ context: { apiVersion: '4.2.1', slot: 7 }, value: null });
  });
});
