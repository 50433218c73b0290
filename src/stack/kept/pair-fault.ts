import { pairingFault } from '../../rollup/pairing.ts';
import { admitsRollup } from './admits-rollup.ts';
import { accountsOf } from './kept-accounts.ts';
import type { KeptLedgers } from './kept-ledgers.ts';

/**
 * Why the ledgers of a data folder do not go together, a sentence: the rollup is missing, of another base,
 * or of another moment. Null where they do.
 *
 * @throws {ServiceError} LEDGER_DAMAGED.
 */
export function pairFault({ base, rollup }: Pick<KeptLedgers, 'base' | 'rollup'>): string | null {
  if (rollup !== null) {
    const { genesisHash } = base.identity;
    return pairingFault({ genesisHash, base: accountsOf(base), rollup: accountsOf(rollup) });
  }
  if (!admitsRollup(base)) return null;
  return 'The base ledger has admitted the validator of a rollup, and the folder has none';
}
