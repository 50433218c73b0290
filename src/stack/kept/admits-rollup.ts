import { Keypair } from '../../ledger/keypair.ts';
import { nodeSecret } from '../../ledger/node-secret.ts';
import { isAdmitted } from '../../rollup/validator-accounts.ts';
import { VALIDATOR_PURPOSE } from '../../rollup/validator-key.ts';
import { accountsOf } from './kept-accounts.ts';
import type { KeptLedger } from './kept-ledgers.ts';

/** Whether a base ledger has admitted the validator of its rollup, as it does once that is on disk. */
export function admitsRollup(base: KeptLedger): boolean {
  const accounts = accountsOf(base);
  const validator = new Keypair(nodeSecret(base.identity.identitySeed, VALIDATOR_PURPOSE)).address;
  return isAdmitted({ state: () => accounts }, validator);
}
