import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getHealth', () => {
  it.each([undefined, '[]', 'null'])('answers ok for the parameters %s', async (params) => {
    expect(await callForText(new FixedLedger(), 'getHealth', params)).toBe('"result":"ok"');
  });

  it('takes no parameters', async () => {
    expect(await callForText(new FixedLedger(), 'getHealth', '[null]')).toBe(
      '"error":{"code":-32602,"message":"Invalid parameters: No parameters were expected","data":"Array([Null])"}',
    );
  });
});
