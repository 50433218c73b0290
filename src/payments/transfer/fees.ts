import type { Location } from '../building/built-transaction.ts';
import type { Network } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { NATIVE_MINT, USDC_DEVNET_MINT, USDC_MINT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Sponsor } from '../fees/sponsor.ts';
import { AMOUNT_MAX } from '../fields/fields.ts';
import { USDT_MINT } from '../mints/common-mints.ts';
import type { MintFacts } from '../mints/mint-facts.ts';
import { type MintTerms, withholds } from '../mints/mint-terms.ts';
import type { TransferInput } from './input.ts';
import type { Route } from './request.ts';

/** The platform's fee on a transfer. */
export interface PlatformFee {
  /** Base units, more than 0. */
  readonly amount: bigint;
  readonly account: Address;
}

/** The platform fee in a request, and the arguments it depends on, with their defaults applied. */
export type PlatformFeeRequest = Pick<TransferInput, 'platformFeeBps' | 'platformFeeAccount' | 'amount'> & {
  readonly fromBalance: Location;
  readonly exactOut: boolean;
};

const BPS_MAX = 10_000;

/**
 * Computes the platform fee of a request, rounded down to base units; null if there is none.
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
  // The fee was rounded down to zero. `warnOfZeroPlatformFee` warns the caller.
  return fee === 0n ? null : { amount: fee, account };
}

const invalid = (field: string, message: string) =>
  new ServiceError('INVALID_PLATFORM_FEE', message, { field });

/** The amounts of a transfer, in base units. */
export interface TransferSums {
  /** The amount in the transferring instruction. */
  readonly moved: bigint;
  readonly received: bigint;
  /** Fee of the private route, charged by the program. */
  readonly routeFee: bigint;
  readonly platformFee: bigint;
  readonly relayFee: bigint;
  readonly debited: bigint;
}

/** Lamports that the program charges for a private base-to-base transfer: 500,000 and 1,539,280. */
export const PRIVATE_BASE_LAMPORTS = 2_039_280n;

/** Fee of a private base-to-base transfer in basis points, rounded down. */
const PRIVATE_BASE_FEE_BPS = 10n;

/** Computes the program's fee for a private base-to-base transfer of `amount` base units. */
export const privateBaseFee = (amount: bigint): bigint => (amount * PRIVATE_BASE_FEE_BPS) / 10_000n;

/**
 * Computes the sums of a transfer. With `exactOut` the recipient gets the amount and fees are added.
 * Otherwise platform and route fees are deducted. The relay fee is always added.
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
  const routeFee = route === 'privateBase' ? privateBaseFee(moved) : 0n;
  const debited = moved + (exactOut ? routeFee : 0n) + platformFee + relayFee;
  if (debited > AMOUNT_MAX) {
    throw new ServiceError(
      'INVALID_AMOUNT',
      `amount and fees total ${debited} base units, more than the ${AMOUNT_MAX} that a token account can hold; send less`,
      { field: 'amount', debited: debited.toString() },
    );
  }
  // The instruction's exactOut flag tells the program to charge its fee on top of the amount or out of it.
  return { moved, received: exactOut ? moved : moved - routeFee, routeFee, platformFee, relayFee, debited };
}

/** The fee for a gasless transfer, in base units: 0.2 of a stablecoin with 6 decimals. */
export const RELAY_FEE = 200_000n;

/** Decimals of the stablecoins used for gasless transfers. */
const FEE_DECIMALS = 6;

/** Minimum gasless transfer, in base units: 0.5 of a stablecoin with 6 decimals. */
const AMOUNT_MIN = 500_000n;

/** Stablecoins in which a sponsor accepts its fee. On a custom network the operator configures them. */
const APPROVED_MINTS: Readonly<Record<Exclude<Network, 'custom'>, readonly Address[]>> = {
  mainnet: [USDC_MINT, USDT_MINT],
  devnet: [USDC_DEVNET_MINT],
  localnet: [USDC_MINT, USDC_DEVNET_MINT],
};

/**
 * Returns the sponsor of a gasless transfer of `amount` base units.
 *
 * @throws {ServiceError} INVALID_GASLESS_TRANSFER_MINT, INVALID_GASLESS_TRANSFER_AMOUNT; SPONSOR_UNAVAILABLE
 *   if none is configured; INVALID_ARGUMENTS if the sponsor itself would be the sender.
 */
export function sponsorFor(
  transfer: { readonly from: Address; readonly mint: Address; readonly amount: bigint },
  network: Network,
  sponsor: Sponsor | undefined,
): Sponsor {
  const approved = approvedOn(network, sponsor);
  if (!approved.includes(transfer.mint)) {
    throw new ServiceError(
      'INVALID_GASLESS_TRANSFER_MINT',
      'gasless is supported only for approved stablecoin mints',
      { field: 'mint', approved },
    );
  }
  if (transfer.amount < AMOUNT_MIN) {
    throw new ServiceError(
      'INVALID_GASLESS_TRANSFER_AMOUNT',
      'gasless amount must be at least 0.5 USDC/USDT',
      { field: 'amount', minimum: AMOUNT_MIN.toString() },
    );
  }
  if (sponsor === undefined) {
    throw new ServiceError(
      'SPONSOR_UNAVAILABLE',
      'Gasless transfers are not configured; leave out gasless to have the sender pay the lamports',
      { field: 'gasless' },
    );
  }
  // The sponsor signs built transactions, so a caller could otherwise spend the sponsor's tokens.
  if (transfer.from === sponsor.address) {
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      'from is the sponsor of gasless transfers, whose tokens this service does not move; pass another wallet',
      { field: 'from' },
    );
  }
  return sponsor;
}

/**
 * Rejects a mint that would pay the sponsor no fee or a different amount.
 *
 * @throws {ServiceError} INVALID_GASLESS_TRANSFER_MINT.
 */
export function requireWholeFee({ mint, decimals }: MintFacts, terms: MintTerms | null): void {
  const why =
    decimals === FEE_DECIMALS
      ? 'it withholds a part of every transfer, including the fee of the sponsor'
      : `it has ${decimals} decimals, but the fee of the sponsor is 0.2 of a stablecoin with ${FEE_DECIMALS}`;
  if (decimals === FEE_DECIMALS && !withholds(terms)) return;
  throw new ServiceError(
    'INVALID_GASLESS_TRANSFER_MINT',
    `mint ${mint} cannot be used with gasless: ${why}; leave out gasless to have the sender pay the lamports`,
    { field: 'mint', mint },
  );
}

/** Lists the mints that can pay the fee. Wrapped SOL cannot, because the sponsor pays rent and wrapping. */
const approvedOn = (network: Network, sponsor: Sponsor | undefined): readonly Address[] =>
  network === 'custom'
    ? (sponsor?.customMints ?? []).filter((mint) => mint !== NATIVE_MINT)
    : APPROVED_MINTS[network];
