import type { Network } from '../../../chain/chain.ts';
import { ServiceError } from '../../../errors/service-error.ts';
import { NATIVE_MINT, USDC_DEVNET_MINT, USDC_MINT } from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import type { Sponsor } from '../../fees/sponsor.ts';
import type { MintFacts } from '../../mints/mint-facts.ts';
import { withholds, type MintTerms } from '../../mints/mint-terms.ts';

/** The fee of a gasless transfer, base units: 0.2 of a stablecoin with 6 decimals. */
export const RELAY_FEE = 200_000n;

/** Of the stablecoins that amounts of gasless transfers are counted in. */
const FEE_DECIMALS = 6;

/** The smallest gasless transfer, base units: 0.5 of a stablecoin with 6 decimals. */
const AMOUNT_MIN = 500_000n;

/** USDT of mainnet. */
const USDT_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;

/** Stablecoins in which a sponsor accepts its fee. On a custom network the operator names them. */
const APPROVED_MINTS: Readonly<Record<Exclude<Network, 'custom'>, readonly Address[]>> = {
  mainnet: [USDC_MINT, USDT_MINT],
  devnet: [USDC_DEVNET_MINT],
  localnet: [USDC_MINT, USDC_DEVNET_MINT],
};

/**
 * The sponsor of a gasless transfer of `amount` base units.
 *
 * @throws {ServiceError} INVALID_GASLESS_TRANSFER_MINT, INVALID_GASLESS_TRANSFER_AMOUNT; SPONSOR_UNAVAILABLE
 *   if none is configured; INVALID_ARGUMENTS if it is the sponsor itself that would pay.
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
  // The sponsor signs what is built: of itself it would pay whomever the caller names.
  if (transfer.from === sponsor.address) {
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      'from is the sponsor of gasless transfers, who pays for others and has no payments of its own here',
      { field: 'from' },
    );
  }
  return sponsor;
}

/**
 * Refuses a mint of which the sponsor would not get its fee, or another one than it is.
 *
 * @throws {ServiceError} INVALID_GASLESS_TRANSFER_MINT.
 */
export function requireWholeFee({ mint, decimals }: MintFacts, terms: MintTerms | null): void {
  const why =
    decimals === FEE_DECIMALS
      ? 'it withholds a part of every transfer, of the fee of the sponsor as well'
      : `it has ${decimals} decimals, and the fee of the sponsor is 0.2 of a stablecoin with ${FEE_DECIMALS}`;
  if (decimals === FEE_DECIMALS && !withholds(terms)) return;
  throw new ServiceError(
    'INVALID_GASLESS_TRANSFER_MINT',
    `mint ${mint} cannot go with gasless: ${why}; leave out gasless to have the sender pay the lamports`,
    { field: 'mint', mint },
  );
}

/** Lamports are no fee: the sponsor has them wrapped and pays rents in them. */
const approvedOn = (network: Network, sponsor: Sponsor | undefined): readonly Address[] =>
  network === 'custom'
    ? (sponsor?.customMints ?? []).filter((mint) => mint !== NATIVE_MINT)
    : APPROVED_MINTS[network];
