import type { LedgerReader } from '../readers/reader.ts';
import type { Answer } from '../readers/wire.ts';

/** What whoever knows the exact signature is told. */
export interface LandedStatus {
  readonly slot: number;
  readonly hasFailed: boolean;
}

interface StatusList {
  readonly value: readonly ({ readonly slot: number; readonly err: unknown } | null)[];
}

/** Asks whether a signature has landed. */
export const askStatus = (reader: LedgerReader, signature: string): Promise<Answer<StatusList>> =>
  reader.call<StatusList>('getSignatureStatuses', [[signature], { searchTransactionHistory: true }]);

/** The answer to that; null where the ledger knows of none, or did not answer. */
export function statusIn(answer: Answer<StatusList>): LandedStatus | null {
  const status = answer.kind === 'value' ? (answer.value.value[0] ?? null) : null;
  return status === null ? null : { slot: status.slot, hasFailed: status.err !== null };
}
