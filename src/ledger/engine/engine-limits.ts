/** Transaction limits of the engine, where they differ from Solana's. */
export interface EngineLimits {
  /** Compute units per transaction, whatever it requests (Agave `RuntimeConfig::compute_budget`). */
  readonly computeUnits?: number | undefined;
  /** Bytes of logs, after which they end with `Log truncated`; unlimited if absent. */
  readonly logBytes?: number | undefined;
  /** Accounts a transaction may name (Agave `RuntimeConfig::transaction_account_lock_limit`). */
  readonly accountLocks?: number | undefined;
}
