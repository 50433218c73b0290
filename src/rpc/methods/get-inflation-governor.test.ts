import { describe, expect, it } from 'vitest';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getInflationGovernor', () => {
  it('answers that nothing is made, by floating point numbers', async () => {
    const expected =
      '"result":{"foundation":0.0,"foundationTerm":0.0,"initial":0.0,"taper":0.0,"terminal":0.0}';
    expect(await callForText(new FixedLedger(), 'getInflationGovernor')).toBe(expected);
    expect(await callForText(new FixedLedger(), 'getInflationGovernor', '[{"commitment":"confirmed"}]')).toBe(
      expected,
    );
  });

  it('is strict about the commitment', async () => {
    expect(await callMethod(new FixedLedger(), 'getInflationGovernor', {})).toEqual(
      invalidParamsError('Invalid params: missing field `commitment`.'),
    );
  });
});
