import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { Keypair } from '../ledger/keypair.ts';

/** What the key of the validator is derived for, from the secret of the base ledger. */
export const VALIDATOR_PURPOSE = 'rollup validator';

/**
 * The key of the validator whose rollup goes with a base ledger. It comes of the ledger's own secret, so that
 * nobody else can settle on it, and is the same whenever the ledger is opened, also after it was reset.
 */
export function rollupValidatorOf(base: Pick<EmbeddedLedger, 'keypairFor'>): Keypair {
  return base.keypairFor(VALIDATOR_PURPOSE);
}
