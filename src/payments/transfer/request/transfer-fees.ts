import { ServiceError } from '../../../errors/service-error.ts';
import { AMOUNT_MAX } from '../../fields/fields.ts';
import type { PlatformFee } from './platform-fee.ts';
import type { Route } from './route.ts';

/** What a transfer moves and what it costs in tokens, base units. */
export interface TransferSums {
  /** What the transferring instruction is told to move. */
  readonly moved: bigint;
  /** What the recipient gets of it in the end. */
  readonly received: bigint;
  /** Fee of the private route, taken by the program. */
  readonly routeFee: bigint;
  readonly platformFee: bigint;
  readonly relayFee: bigint;
  /** What leaves the sender's token account altogether. */
  readonly debited: bigint;
}

/** Lamports the program charges for a private transfer from base to base: 500,000 and 1,539,280. */
export const PRIVATE_BASE_LAMPORTS = 2_039_280n;

/** Fee of a private transfer from base to base, ten thousandths, rounded down. */
const PRIVATE_BASE_FEE_BPS = 10n;

/**
 * Sums a transfer up. With `exactOut` the recipient gets the amount and the fees come on top; without, platform fee and
 * route fee are taken out of it. The relay fee always comes on top.
 *
 * @throws {ServiceError} INVALID_AMOUNT when all of it together is more than a token account can hold.
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
  return { moved, received: exactOut ? moved : moved - routeFee, routeFee, platformFee, relayFee, debited };
}
