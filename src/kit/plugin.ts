import { extendClient, type ExtendedClient, type TransactionSigner } from '@solana/kit';
import { createPrivatePayments } from '../client/private-payments.ts';
import { systemClock } from '../ports/clock.ts';
import { type Address, isAddress } from '../solana/address.ts';
import { CheckedPayments } from './checked-payments.ts';
import { createLocalOperations } from './local-operations.ts';
import { createPayments, type KitOptions, type PaymentLimits, type Payments } from './payments.ts';
import { RollupSession, sleep } from './rollup-session.ts';
import { SignedMessages } from './signed-messages.ts';
import { openTrustedLedgers } from './trusted-ledgers.ts';

/** The kind of each limit. The compiler reports missing limits. */
const KINDS: { readonly [Name in keyof PaymentLimits]-?: 'number' | 'list' } = {
  maxAmount: 'number',
  maxLamports: 'number',
  mints: 'list',
  recipients: 'list',
  validators: 'list',
  programs: 'list',
};

/**
 * Validates and copies the limits. An unchecked `NaN`, for example, would allow everything.
 *
 * @param given undefined for no limits.
 * @throws {TypeError} for an unknown limit, or a value of the wrong kind.
 */
export function readLimits(given: PaymentLimits | undefined): PaymentLimits {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null || Symbol.iterator in given) {
    throw new TypeError(
      'limits must be an object with any of these keys: maxAmount, maxLamports, mints, recipients, validators, programs',
    );
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(KINDS, name));
  if (unknown !== undefined) {
    throw new TypeError(`limits.${unknown} is not a limit: the limits are ${Object.keys(KINDS).join(', ')}`);
  }
  const names = Object.keys(KINDS) as (keyof PaymentLimits)[];
  return Object.fromEntries(names.map((name) => [name, readLimit(name, given[name])]));
}

function readLimit(name: keyof PaymentLimits, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (KINDS[name] === 'list') {
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return [...value];
    throw new TypeError(`limits.${name} must be an array of strings`);
  }
  if (typeof value === 'bigint' && value >= 0n) return value;
  throw new TypeError(`limits.${name} must be a bigint of 0n or more, such as 1_500_000n`);
}

type ClientWithWallet =
  | { readonly identity: TransactionSigner; readonly payer?: TransactionSigner }
  | { readonly identity?: TransactionSigner; readonly payer: TransactionSigner };

/** The members that the plugin adds. */
export interface ClientWithPayments {
  readonly payments: Payments;
}

/**
 * Messages signed in this process. All clients share them, because two clients of one wallet must never sign
 * the same bytes.
 */
const SIGNED = new SignedMessages();

/**
 * Creates a plugin for `createClient()` of @solana/kit that adds `client.payments`.
 *
 * The service builds transactions but is not trusted. The client verifies each transaction against the
 * request, with nodes that the caller trusts, before signing it.
 *
 * @throws {TypeError} if an option is not valid, or the client has no wallet.
 */
export function privatePayments(
  options: KitOptions,
): <Client extends ClientWithWallet>(client: Client) => ExtendedClient<Client, ClientWithPayments> {
  const limits = readLimits(options.limits);
  return (client) => {
    const { identity, payer } = client;
    const wallet = identity ?? payer;
    if (wallet === undefined)
      throw new TypeError('the client has no wallet: add a payer or an identity before payments');
    const { url, apiKey, fetch } = options;
    const service = createPrivatePayments({ url, apiKey, fetch });
    const { clusters, close } = openTrustedLedgers(options);
    const session = new RollupSession(clusters.resolve(undefined), wallet, systemClock, options.agreeToText);
    const checked = new CheckedPayments({
      service,
      cluster: options.cluster,
      clusters,
      local: createLocalOperations(clusters, sponsorOf(options)),
      session,
      signers: payer === undefined || payer.address === wallet.address ? [wallet] : [wallet, payer],
      limits,
      accept: new Set(options.accept),
      watchRecipients: options.watchRecipients,
      signed: SIGNED,
      ledgers: { base: String(options.base), ephemeral: String(options.rollup) },
      waiting: { clock: systemClock, sleep },
    });
    const payments = createPayments(checked, wallet, async () => {
      session.forget();
      close();
    });
    return extendClient(client, { payments });
  };
}

function sponsorOf({ sponsor }: KitOptions): Address | null {
  if (sponsor === undefined) return null;
  const text: string = sponsor;
  if (isAddress(text)) return text;
  throw new TypeError('sponsor must be a base58 Solana address');
}
