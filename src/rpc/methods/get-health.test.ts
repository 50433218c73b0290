import { describe, expect, it } from 'vitest';
import { openTestLedger } from '../../ledger/testing/test-ledger.ts';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getHealth', () => {
  it.each([undefined, '[]', 'null'])('returns ok for the parameters %s', async (params) => {
    expect(await callForText(new FixedLedger(), 'getHealth', params)).toBe('"result":"ok"');
  });

  it('reports an unhealthy node after the ledger has stopped (bug: it was ok)', async () => {
    const { ledger } = await openTestLedger();
    expect(await callForText(ledger, 'getHealth')).toBe('"result":"ok"');
    await ledger.close();
    expect(await callForText(ledger, 'getHealth')).toBe(
      '"error":{"code":-32005,"message":"Node is unhealthy","data":{"numSlotsBehind":null}}',
    );
  });

  it('accepts no parameters', async () => {
    expect(await callForText(new FixedLedger(), 'getHealth', '[null]')).toBe(
      '"error":{"code":-32602,"message":"Invalid parameters: No parameters were expected","data":"Array([Null])"}',
    );
  });
});
