import { Float64 } from '../../json/json-value.ts';
import { commitmentConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';

/** Agave `Inflation::default`: what a test validator's genesis says, too. */
const GOVERNOR = {
  foundation: new Float64(0.05),
  foundationTerm: new Float64(7),
  initial: new Float64(0.08),
  taper: new Float64(0.15),
  terminal: new Float64(0.015),
};

/**
 * `getInflationGovernor([config]?)`: the rules by which lamports would be made, as shares of the supply in a
 * year. Nobody is rewarded on this ledger, so `getInflationRate` is zero all the same.
 */
export const getInflationGovernor = defineMethod(
  'getInflationGovernor',
  { required: [], optional: [commitmentConfig] },
  () => GOVERNOR,
);
