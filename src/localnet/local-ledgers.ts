import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { EmbeddedRollup } from '../rollup/rollup.ts';

/** The ledgers of a localnet, which always has both. */
export interface LocalLedgers {
  readonly base: EmbeddedLedger;
  readonly rollup: EmbeddedRollup;
}
