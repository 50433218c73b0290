import type { Location } from '../building/built-transaction.ts';
import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Random } from '../../ports/random.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import type { DeliveryTerms } from '../../programs/private-transfer/seal-transfer.ts';
import { ataBytes } from '../../programs/token/mint-extensions.ts';
import { type Address, addressBytes, isAddress } from '../../solana/address.ts';
import { isOnCurve } from '../../solana/pda.ts';
import type { LookupTable } from '../../solana/versioned-message.ts';
import { noWallet, rejectProgram } from '../accounts/wallet.ts';
import type { Draft } from '../building/built-transaction.ts';
import type { Sponsor } from '../fees/sponsor.ts';
import type { MintFacts } from '../mints/mint-facts.ts';
import { type MintTerms, needsCheckedTransfer } from '../mints/mint-terms.ts';
import { stealthPoolOf } from '../stealth/handle.ts';
import {
  type PlatformFee,
  platformFeeOf,
  RELAY_FEE,
  sponsorFor,
  sumTransfer,
  type TransferSums,
} from './fees.ts';
import type { TransferInput } from './input.ts';
import type { Payment } from './plan.ts';

interface RouteRequest {
  readonly visibility: 'public' | 'private';
  readonly fromBalance: Location;
  readonly toBalance: Location;
}

/** Route of a transfer. `ephemeral` covers both visibilities, because the rollup decides what is private. */
export type Route = 'publicBase' | 'privateBase' | 'baseToEphemeral' | 'ephemeral' | 'ephemeralToBase';

const ROUTES: Readonly<Record<string, Route>> = {
  'public base base': 'publicBase',
  'private base base': 'privateBase',
  'private base ephemeral': 'baseToEphemeral',
  'public ephemeral ephemeral': 'ephemeral',
  'private ephemeral ephemeral': 'ephemeral',
  'private ephemeral base': 'ephemeralToBase',
};

const ROUTES_IN_WORDS = Object.keys(ROUTES)
  .map((key) => key.split(' '))
  .map(([visibility, from, to]) => `visibility ${visibility} with fromBalance ${from} and toBalance ${to}`)
  .join('; ');

/**
 * Returns the route of a request.
 *
 * @throws {ServiceError} UNSUPPORTED_TRANSFER_ROUTE for a public transfer between base and rollup, because
 * shuttles and queues are private.
 */
export function routeOf({ visibility, fromBalance, toBalance }: RouteRequest): Route {
  const route = ROUTES[`${visibility} ${fromBalance} ${toBalance}`];
  if (route !== undefined) return route;
  throw new ServiceError(
    'UNSUPPORTED_TRANSFER_ROUTE',
    `transferSpl route not implemented: visibility=${visibility}, fromBalance=${fromBalance}, toBalance=${toBalance}; the routes are ${ROUTES_IN_WORDS}`,
    { field: 'visibility', visibility, fromBalance, toBalance },
  );
}

/** Requested delays and parts of a payment, as unchecked integers. */
export type DeliveryRequest = Pick<TransferInput, 'minDelayMs' | 'maxDelayMs' | 'clientRefId' | 'split'>;

const DELAY_MS_MAX = 600_000n;

const SPLIT_MAX = 15;

/**
 * Checks the delivery terms of a request. Defaults: no delay, one part, no reference. If only a minimum is
 * specified, it is also the maximum.
 *
 * @param amount base units to split; null if nothing is split.
 * @throws {ServiceError} INVALID_PRIVATE_TRANSFER.
 */
export function deliveryTermsOf(request: DeliveryRequest, amount: bigint | null): DeliveryTerms {
  rejectNegative(request);
  const { minDelayMs = 0n, maxDelayMs = minDelayMs, clientRefId = null, split = 1 } = request;
  if (maxDelayMs < minDelayMs) {
    throw invalid('maxDelayMs', 'maxDelayMs must be greater than or equal to minDelayMs');
  }
  if (maxDelayMs > DELAY_MS_MAX) {
    throw invalid(
      // If only a minimum is specified, it is also the maximum and therefore the field to change.
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

function rejectNegative({ minDelayMs = 0n, maxDelayMs = 0n, clientRefId = 0n }: DeliveryRequest): void {
  for (const [field, value] of Object.entries({ minDelayMs, maxDelayMs, clientRefId })) {
    if (value < 0n) throw invalid(field, `${field} must be non-negative`);
  }
}

const invalid = (field: string, message: string) =>
  new ServiceError('INVALID_PRIVATE_TRANSFER', message, { field });

/** A transfer request with its defaults applied, after all checks that do not need the chain. */
export interface TransferRequest {
  readonly route: Route;
  readonly way: RouteRequest;
  readonly from: Address;
  /** The payee: a wallet, or the pool of a stealth handle. */
  readonly to: Address;
  readonly toStealthPool: boolean;
  readonly mint: Address;
  readonly exactOut: boolean;
  readonly sums: TransferSums;
  readonly terms: DeliveryTerms;
  readonly platformFee: PlatformFee | null;
  /** The payer of lamports; null if the sender pays. */
  readonly sponsor: Sponsor | null;
  readonly memo: string | null;
  readonly creates: TransferCreations;
  readonly legacy: boolean;
  readonly mayBeV1: boolean;
}

/** Accounts that a transfer creates if missing, with the argument for each. */
export interface TransferCreations {
  /** Whether to create the recipient's eATA with its accounts, to pay into the rollup (`initIfMissing`). */
  readonly recipient: boolean;
  /** Whether to create the recipient's ATA, for a public payment on base (`initRecipientAta`). */
  readonly recipientAta: boolean;
  /** Whether to create the sender's ATA (`initAtasIfMissing`). */
  readonly sourceAta: boolean;
  /** Whether to create the vault of the mint and its transfer queue (`initVaultIfMissing`). */
  readonly vault: boolean;
}

/** Routes that name the recipient's own token account. */
const ATA_ROUTES: ReadonlySet<Route> = new Set(['publicBase', 'baseToEphemeral', 'ephemeral']);

const QUEUE_ROUTES: readonly Route[] = ['privateBase', 'ephemeralToBase'];

/** Checks whether delivery terms apply to a route. */
export const hasDeliveryTerms = (route: Route): boolean => QUEUE_ROUTES.includes(route);

/** The routes on which each option has an effect. */
export const ROUTES_OF: Readonly<Partial<Record<keyof TransferInput, readonly Route[]>>> = {
  minDelayMs: QUEUE_ROUTES,
  maxDelayMs: QUEUE_ROUTES,
  split: QUEUE_ROUTES,
  clientRefId: QUEUE_ROUTES,
  initIfMissing: ['baseToEphemeral'],
  initAtasIfMissing: ['publicBase', 'privateBase', 'baseToEphemeral'],
  initVaultIfMissing: ['publicBase', 'privateBase', 'baseToEphemeral', 'ephemeralToBase'],
  initRecipientAta: ['publicBase'],
};

/** Checks whether an option has an effect on a route. */
export const hasEffect = (option: keyof TransferInput, route: Route): boolean =>
  ROUTES_OF[option]?.includes(route) ?? true;

/**
 * Checks a request.
 *
 * @throws {ServiceError} in this order: UNSUPPORTED_TRANSFER_ROUTE, INVALID_AMOUNT, INVALID_PRIVATE_TRANSFER,
 *   INVALID_PLATFORM_FEE, INVALID_STEALTH_TRANSFER, INVALID_STEALTH_HANDLE, TRANSACTION_BUILD_ERROR for an
 *   owner off the curve, INVALID_OWNER, INVALID_GASLESS_TRANSFER_MINT, INVALID_GASLESS_TRANSFER_AMOUNT,
 *   SPONSOR_UNAVAILABLE, INVALID_ARGUMENTS.
 */
export function checkTransferRequest(
  input: TransferInput,
  chain: Chain,
  configuredSponsor: Sponsor | undefined,
): TransferRequest {
  const { from, mint, amount, visibility = 'private', fromBalance = 'base', toBalance = 'base' } = input;
  const way: RouteRequest = { visibility, fromBalance, toBalance };
  const route = routeOf(way);
  rejectZero(amount, route);
  const exactOut = input.exactOut ?? true;
  const terms = deliveryTermsOf(input, hasDeliveryTerms(route) ? amount : null);
  const { platformFeeBps, platformFeeAccount } = input;
  const platformFee = platformFeeOf({ platformFeeBps, platformFeeAccount, fromBalance, amount, exactOut });
  // Any other text counts as a stealth handle.
  const toStealthPool = !isAddress(input.to);
  const to = isAddress(input.to) ? input.to : stealthPoolFor(input.to, route);
  rejectOffCurve(from, 'from');
  if (ATA_ROUTES.has(route)) rejectOffCurve(to, 'to');
  rejectNonWallet(from, 'from', mint);
  rejectNonWallet(to, 'to', mint);
  const sponsor = input.gasless === true ? sponsorFor(input, chain.network, configuredSponsor) : null;
  const sums = sumTransfer({ route, amount, exactOut }, platformFee, sponsor === null ? 0n : RELAY_FEE);
  return {
    route,
    way,
    from,
    to,
    toStealthPool,
    mint,
    exactOut,
    sums,
    terms,
    platformFee,
    sponsor,
    memo: input.memo ?? null,
    creates: createsOf(sponsor === null ? input : {}),
    legacy: input.legacy ?? false,
    mayBeV1: input.transactionVersion === 1,
  };
}

function rejectZero(amount: bigint, route: Route): void {
  // An empty transfer from base to the rollup sets up the recipient.
  if (amount > 0n || route === 'baseToEphemeral') return;
  throw new ServiceError('INVALID_AMOUNT', 'amount must be a positive integer', { field: 'amount' });
}

function stealthPoolFor(handle: string, route: Route): Address {
  if (route !== 'privateBase') {
    throw new ServiceError(
      'INVALID_STEALTH_TRANSFER',
      'Stealth handle transfers require visibility=private, fromBalance=base, and toBalance=base. `to` is treated as a stealth handle because it is not a base58 Solana address of 32 bytes.',
      { field: 'to' },
    );
  }
  return stealthPoolOf(handle, 'to').address;
}

/** Rejects an address off the curve: it has no private key, and the programs derive its ATA differently. */
function rejectOffCurve(owner: Address, field: 'from' | 'to'): void {
  if (isOnCurve(addressBytes(owner))) return;
  throw new ServiceError(
    'TRANSACTION_BUILD_ERROR',
    `Owner public key is off-curve: ${field} ${owner} is a program-derived address and not a wallet; pass the address of a wallet`,
    { field, [field]: owner },
  );
}

/** Rejects an address that cannot be a wallet. Its account is checked after it is read. */
function rejectNonWallet(owner: Address, field: 'from' | 'to', mint: Address): void {
  rejectProgram(owner, field);
  if (owner === mint) throw noWallet(owner, field, 'the mint itself');
}

/** Reads the creations from the flags. Gasless transfers create nothing (see `requireCreated`). */
const createsOf = (input: Partial<TransferInput>): TransferRequest['creates'] => ({
  recipient: input.initIfMissing ?? false,
  recipientAta: input.initRecipientAta ?? false,
  sourceAta: input.initAtasIfMissing ?? false,
  vault: input.initVaultIfMissing ?? false,
});

/** Suggests ways to make the transaction smaller, each as a clause. */
export function sizeAdviceOf(request: TransferRequest, chain: Chain): string[] {
  const ways: string[] = [];
  if (request.legacy && request.route === 'privateBase' && chain.transferLookupTable !== null) {
    ways.push('leave out legacy to allow the v0 form');
  }
  if (!request.mayBeV1 && request.sponsor === null) {
    ways.push('pass transactionVersion 1 if the cluster accepts it');
  }
  if (request.memo !== null) ways.push('leave out the memo or shorten it');
  if (request.creates.vault) {
    ways.push('initialize the mint first (spl.initializeMint) and leave out initVaultIfMissing');
  }
  if (request.sponsor !== null) ways.push('leave out gasless');
  if (request.platformFee !== null) ways.push('pay the platform fee in a separate transfer');
  if (request.creates.recipient)
    ways.push("have the recipient's accounts created first and leave out initIfMissing");
  return ways;
}

/** A checked request with its mint read from the chain, ready to be drafted. */
export interface TransferTask {
  readonly chain: Chain;
  readonly random: Random;
  readonly request: TransferRequest;
  readonly facts: MintFacts;
  /** The Token-2022 terms of the mint; null for SPL Token mints. */
  readonly terms: MintTerms | null;
  readonly payer: Address;
  readonly sourceAta: Address;
  /** The account that receives the sponsor's fee; null without a sponsor. */
  readonly sponsorAta: Address | null;
}

/** A drafted transfer. */
export interface TransferDraft extends Draft {
  readonly lookupTable: LookupTable | null;
  /** Maximum cost for the payer, in lamports. */
  readonly payerLamports: bigint;
}

/** Derives the facts and accounts that every route needs. */
export function beginTask(
  { chain, random }: Pick<TransferTask, 'chain' | 'random'>,
  request: TransferRequest,
  facts: MintFacts,
  terms: MintTerms | null = null,
): TransferTask {
  const { from, sponsor } = request;
  const { mint, tokenProgram } = facts;
  return {
    request,
    facts,
    terms,
    payer: sponsor?.address ?? from,
    sourceAta: deriveAta(from, mint, tokenProgram).address,
    sponsorAta: sponsor === null ? null : deriveAta(sponsor.address, mint, tokenProgram).address,
    chain,
    random,
  };
}

/** Returns the size of a new token account of the mint, in bytes. */
export const ataBytesOf = ({ facts, terms }: Pick<TransferTask, 'facts' | 'terms'>): number =>
  ataBytes(facts.tokenProgram, terms?.extensions ?? null);

/** Builds the part of the plan that does not depend on chain state. */
export function paymentOf(task: TransferTask): Payment {
  const { request, facts, terms, payer, sourceAta, sponsorAta } = task;
  const { sums, platformFee } = request;
  return {
    from: request.from,
    payer,
    mint: facts.mint,
    tokenProgram: facts.tokenProgram,
    sourceAta,
    amount: sums.moved,
    checked: terms !== null && needsCheckedTransfer(terms) ? { terms, decimals: facts.decimals } : null,
    tolls: [
      ...(sponsorAta === null ? [] : [{ account: sponsorAta, amount: sums.relayFee }]),
      ...(platformFee === null ? [] : [platformFee]),
    ],
    memo: request.memo,
    creates: request.creates,
  };
}
