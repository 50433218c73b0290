import { admitValidator, rollupValidatorOf } from '../../../rollup/validator-accounts.ts';
import { networkProgramsGenesis, validatorNetworkAccounts } from '../../genesis/genesis.ts';
import type { OpenLedgerOptions } from '../../open-ledger.ts';
import { openTestLedger, type TestLedger } from '../../testing/test-ledger.ts';
import { layoutBDumps } from './layout-b-dumps.ts';

/**
 * Opens a base ledger of layout B for a test, with the accounts of its rollup's validator: its fees vault,
 * its lamports and its magic fee vault. `openRollup` accepts it as `base`.
 *
 * @param options as in `openTestLedger`, except for the genesis.
 */
export async function openLayoutBBase(
  options: Partial<Omit<OpenLedgerOptions, 'genesis'>> = {},
): Promise<TestLedger> {
  const world = await openTestLedger({ ...options, genesis: networkProgramsGenesis(layoutBDumps()) });
  const validator = rollupValidatorOf(world.ledger).address;
  await admitValidator(world.ledger, validator);
  await world.ledger.setOwnAccounts(validatorNetworkAccounts(validator));
  return world;
}
