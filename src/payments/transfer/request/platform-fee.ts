import { ServiceError } from '../../../errors/service-error.ts';
import type { Address } from '../../../solana/address.ts';

/** What a platform takes of a transfer. */
export interface PlatformFee {
  /** Base units, more than 0. */
  readonly amount: bigint;
  /** The token account it goes to. */
  readonly account: Address;
}

/** What a request says about the platform's fee, and what that depends on. */
export interface PlatformFeeRequest {
  readonly platformFeeBps?: number | undefined;
  readonly platformFeeAccount?: Address | undefined;
  readonly fromBalance: 'base' | 'ephemeral';
  /** Base units. */
  readonly amount: bigint;
  /** Whether the fee comes on top of the amount rather than out of it. */
  readonly exactOut: boolean;
}

/** Ten thousandths a whole has. */
const BPS_MAX = 10_000;

/**
 * The fee a request names, rounded down to whole base units; null when there is none to pay.
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
  return fee === 0n ? null : { amount: fee, account };
}

const invalid = (field: string, message: string) =>
  new ServiceError('INVALID_PLATFORM_FEE', message, { field });
