import { ServiceError } from '../../../errors/service-error.ts';
import { AMOUNT_MAX } from '../../fields/fields.ts';
import type { PlatformFee } from './platform-fee.ts';
import type { Route } from './route.ts';

/** What a transfer moves and costs in tokens, base units. */
export interface TransferSums {
  /** The amount in the transferring instruction. */
  readonly moved: bigint;
  /** What the recipient finally gets. */
  readonly received: bigint;
  /** Fee of the private route, charged by the program. */
  readonly routeFee: bigint;
  readonly platformFee: bigint;
  readonly relayFee: bigint;
  /** Total debit of the sender's token account. */
  readonly debited: bigint;
}

/** Lamports the program charges for a private base-to-base transfer: 500,000 and 1,539,280. */
export const PRIVATE_BASE_LAMPORTS = 2_039_280n;

/** Fee of a private base-to-base transfer in basis points, rounded down. */
const PRIVATE_BASE_FEE_BPS = 10n;

/**
 * Computes the sums of a transfer. With `exactOut` the recipient gets the amount and fees are added;
 * otherwise platform fee and route fee are deducted from it. The relay fee is always added.
 *
 * @throws {ServiceError} INVALID_AMOUNT if the total exceeds a u64.
 */
export function sumTransfer(
  transfer: { readonly route: Route; readonly amount: bigint; readonly exactOut: boolean },
  platform: PlatformFee | null,
  relayFee: bigint,
): TransferSums {
  const { route, amount, exactOut } = transfer;
  const platformFee = platform?.amount ?? 0n;
  const moved = exactOut ? amount : amount - platformFee;
  const routeFee = route === 'privateBase' ? (moved * PRIVATE_BASE_FEE_BPS) / 10_000n : 0n;
  const debited = moved + (exactOut ? routeFee : 0n) + platformFee + relayFee;
  if (debited > AMOUNT_MAX) {
    throw new ServiceError(
      'INVALID_AMOUNT',
      `amount and fees come to ${debited} base units together, which is more than the ${AMOUNT_MAX} a token account can hold; send less`,
      { field: 'amount', debited: debited.toString() },
    );
  }
  // The instruction's exactOut flag tells the program to charge its fee on top or out of the amount.
  return { moved, received: exactOut ? moved : moved - routeFee, routeFee, platformFee, relayFee, debited };
}
