import { expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

it('getAgGenesisCert returns null, like a cluster that has not moved to Alpenglow', async () => {
  expect(await callForText(new FixedLedger(), 'getAgGenesisCert')).toBe('"result":null');
});
