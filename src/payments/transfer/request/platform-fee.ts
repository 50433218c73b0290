import { ServiceError } from '../../../errors/service-error.ts';
import type { Address } from '../../../solana/address.ts';

/** The platform's fee on a transfer. */
export interface PlatformFee {
  /** Base units, more than 0. */
  readonly amount: bigint;
  /** The token account that receives it. */
  readonly account: Address;
}

/** The platform fee in a request, and what it depends on. */
export interface PlatformFeeRequest {
  readonly platformFeeBps?: number | undefined;
  readonly platformFeeAccount?: Address | undefined;
  readonly fromBalance: 'base' | 'ephemeral';
  /** Base units. */
  readonly amount: bigint;
  /** Whether the fee is added to the amount instead of deducted. */
  readonly exactOut: boolean;
}

/** 100 % in basis points. */
const BPS_MAX = 10_000;

/**
 * The fee of a request, rounded down to whole base units; null if there is none.
 *
 * @throws {ServiceError} INVALID_PLATFORM_FEE.
 */
export function platformFeeOf(request: PlatformFeeRequest): PlatformFee | null {
  const { platformFeeBps: bps = 0, platformFeeAccount: account, amount } = request;
  if (!Number.isInteger(bps) || bps < 0 || bps > BPS_MAX) {
    throw invalid('platformFeeBps', `platformFeeBps must be an integer between 0 and ${BPS_MAX}`);
  }
  if (bps === 0) return null;
  if (account === undefined) {
    throw invalid(
      'platformFeeAccount',
      'platformFeeAccount is required when platformFeeBps is greater than 0',
    );
  }
  if (request.fromBalance !== 'base') {
    throw invalid('platformFeeBps', 'platform fees are supported only when fromBalance is "base"');
  }
  const fee = (amount * BigInt(bps)) / BigInt(BPS_MAX);
  if (!request.exactOut && fee >= amount) {
    throw invalid('platformFeeBps', 'platform fee must be less than amount when exactOut is false');
  }
  // It rounded down to nothing, of which the caller is warned (`warnOfZeroPlatformFee`).
  return fee === 0n ? null : { amount: fee, account };
}

const invalid = (field: string, message: string) =>
  new ServiceError('INVALID_PLATFORM_FEE', message, { field });
