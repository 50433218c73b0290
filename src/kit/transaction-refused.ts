import type { ExplainTransactionOutput } from '../client/generated.ts';

/** One reason why nothing was signed. */
export interface RefusalReason {
  /**
   * Stable: a code of a finding, `DIFFERS` for what is not as asked, `UNVERIFIABLE` for what nobody can tell,
   * `LIMIT` for a limit of the caller, `SIGNER` for a signature that the client cannot give, or
   * `ALREADY_SIGNED` for the bytes of an earlier payment, which would pay nothing once more.
   */
  readonly code: string;
  readonly message: string;
}

/** The service built something that must not be signed. Nothing was signed, and nothing was sent. */
export class TransactionRefused extends Error {
  override readonly name = 'TransactionRefused';
  readonly reasons: readonly RefusalReason[];
  /** What was found out about the transaction. */
  readonly explanation: ExplainTransactionOutput;

  constructor(reasons: readonly RefusalReason[], explanation: ExplainTransactionOutput) {
    super(`Nothing was signed: ${reasons.map(({ message }) => message).join(' ')}`);
    this.reasons = reasons;
    this.explanation = explanation;
  }
}
