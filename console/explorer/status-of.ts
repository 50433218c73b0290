import type { Ledger, Reader } from '../parts/reader.ts';

/** What whoever knows a signature is told of it. */
export interface SignatureStatus {
  readonly slot: number;
  readonly err: unknown;
}

/**
 * Asks a ledger whether a signature has landed; null where it does not say so.
 *
 * @throws {Error} with the ledger's words if it does not answer.
 */
export async function statusOf(
  reader: Reader,
  ledger: Ledger,
  signature: string,
): Promise<SignatureStatus | null> {
  const { value } = await reader.call<{ readonly value: readonly (SignatureStatus | null)[] }>(
    ledger,
    'getSignatureStatuses',
    [[signature], { searchTransactionHistory: true }],
  );
  return value[0] ?? null;
}
