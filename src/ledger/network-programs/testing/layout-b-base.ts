import { admitValidator, rollupValidatorOf } from '../../../rollup/validator-accounts.ts';
import { networkProgramsGenesis, validatorNetworkAccounts } from '../../genesis/genesis.ts';
import type { OpenLedgerOptions } from '../../open-ledger.ts';
import { openTestLedger, type TestLedger } from '../../testing/test-ledger.ts';
import { layoutBDumps } from './layout-b-dumps.ts';

/**
 * A base ledger of layout B for a test, with what the validator of its rollup needs there: its fees vault,
 * its lamports and its magic fee vault. `openRollup` can be given it as `base`.
 *
 * @param options as of `openTestLedger`; its genesis is that of layout B.
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
