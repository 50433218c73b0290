import { Float64 } from '../../json/json-value.ts';
import { commitmentConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';

const ZERO = new Float64(0);

/**
 * `getInflationGovernor([config]?)`: the rules by which lamports are made. Nobody stakes on this ledger and none are
 * made, which Agave tells by zeros (`Inflation::new_disabled`).
 */
export const getInflationGovernor = defineMethod(
  'getInflationGovernor',
  { required: [], optional: [commitmentConfig] },
  () => ({ foundation: ZERO, foundationTerm: ZERO, initial: ZERO, taper: ZERO, terminal: ZERO }),
);
