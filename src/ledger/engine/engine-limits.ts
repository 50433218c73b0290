/** What the engine allows every transaction, where that is not what Solana allows. */
export interface EngineLimits {
  /** Compute units, whatever the transaction asks for (Agave `RuntimeConfig::compute_budget`). */
  readonly computeUnits?: number | undefined;
  /** Bytes of its logs, after which they end with `Log truncated`; none when left out. */
  readonly logBytes?: number | undefined;
  /** Accounts that it may name (Agave `RuntimeConfig::transaction_account_lock_limit`). */
  readonly accountLocks?: number | undefined;
}
