import { ServiceError } from '../../../errors/service-error.ts';
import type { DeliveryTerms } from '../../../programs/private-transfer/delivery-terms.ts';

/** The requested delays and parts of a payment, unchecked integers. */
export interface DeliveryRequest {
  readonly minDelayMs?: bigint | undefined;
  readonly maxDelayMs?: bigint | undefined;
  readonly clientRefId?: bigint | undefined;
  readonly split?: number | undefined;
}

/** Longest delay, ms. */
const DELAY_MS_MAX = 600_000n;

/** Most parts of one payment. */
const SPLIT_MAX = 15;

/**
 * The delivery terms of a request. Defaults: no delay, one part, no reference; a minimum alone is also the
 * maximum.
 *
 * @param amount base units to split; null if nothing is split.
 * @throws {ServiceError} INVALID_PRIVATE_TRANSFER.
 */
export function deliveryTermsOf(request: DeliveryRequest, amount: bigint | null): DeliveryTerms {
  refuseNegative(request);
  const { minDelayMs = 0n, maxDelayMs = minDelayMs, clientRefId = null, split = 1 } = request;
  if (maxDelayMs < minDelayMs) {
    throw invalid('maxDelayMs', 'maxDelayMs must be greater than or equal to minDelayMs');
  }
  if (maxDelayMs > DELAY_MS_MAX) {
    throw invalid(
      // A minimum alone is also the maximum, so it is then the field to change.
      request.maxDelayMs === undefined ? 'minDelayMs' : 'maxDelayMs',
      `maxDelayMs must be less than or equal to ${DELAY_MS_MAX}`,
    );
  }
  if (!Number.isInteger(split) || split < 1 || split > SPLIT_MAX) {
    throw invalid('split', `split must be an integer between 1 and ${SPLIT_MAX}`);
  }
  // Each part pays at least one base unit.
  if (amount !== null && BigInt(split) > amount) {
    throw invalid('split', 'split cannot exceed transfer amount');
  }
  return { minDelayMs, maxDelayMs, split, clientRefId };
}

function refuseNegative({ minDelayMs = 0n, maxDelayMs = 0n, clientRefId = 0n }: DeliveryRequest): void {
  for (const [field, value] of Object.entries({ minDelayMs, maxDelayMs, clientRefId })) {
    if (value < 0n) throw invalid(field, `${field} must be non-negative`);
  }
}

const invalid = (field: string, message: string) =>
  new ServiceError('INVALID_PRIVATE_TRANSFER', message, { field });
