import type { Config } from '../config/config.ts';
import type { EngineLimits } from '../ledger/engine/engine.ts';
import type { FaucetLimits } from '../ledger/faucet.ts';

/** What the faucet gives at most, lamports, by the `FAUCET_` settings. */
export function faucetLimitsOf({ faucetCallMax, faucetSliceMax, faucetSliceSeconds }: Config): FaucetLimits {
  return {
    perCall: faucetCallMax ?? undefined,
    perSlice: faucetSliceMax ?? undefined,
    sliceMs: faucetSliceSeconds * 1_000,
  };
}

/** What transactions are allowed, by the `LEDGER_` settings. */
export function engineLimitsOf(config: Config): EngineLimits {
  return {
    computeUnits: config.ledgerComputeUnitLimit ?? undefined,
    logBytes: config.ledgerLogBytesMax ?? undefined,
    accountLocks: config.ledgerAccountLocksMax ?? undefined,
  };
}
