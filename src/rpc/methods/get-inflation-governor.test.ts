import { describe, expect, it } from 'vitest';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getInflationGovernor', () => {
  it('returns the rules of a test validator as floating point numbers (bug: zeros)', async () => {
    const expected =
      '"result":{"foundation":0.05,"foundationTerm":7.0,"initial":0.08,"taper":0.15,"terminal":0.015}';
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
