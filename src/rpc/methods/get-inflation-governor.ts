import { Float64 } from '../../json/json-value.ts';
import { commitmentConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';

/** Agave `Inflation::default`, also used in a test validator's genesis. */
const GOVERNOR = {
  foundation: new Float64(0.05),
  foundationTerm: new Float64(7),
  initial: new Float64(0.08),
  taper: new Float64(0.15),
  terminal: new Float64(0.015),
};

/**
 * `getInflationGovernor([config]?)`: the inflation parameters, as yearly shares of the supply. This ledger
 * pays no rewards, so `getInflationRate` is zero all the same.
 */
export const getInflationGovernor = defineMethod(
  'getInflationGovernor',
  { required: [], optional: [commitmentConfig] },
  () => GOVERNOR,
);
