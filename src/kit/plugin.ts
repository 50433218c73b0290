import { extendClient, type ExtendedClient, type TransactionSigner } from '@solana/kit';
import { createPrivatePayments } from '../client/private-payments.ts';
import { systemClock } from '../ports/clock.ts';
import { type Address, isAddress } from '../solana/address.ts';
import { CheckedPayments } from './checked-payments.ts';
import { asPaymentsErrors, createLocalOperations } from './local-operations.ts';
import {
  createPayments,
  type EmbeddedOptions,
  type KitOptions,
  type PaymentLimits,
  type Payments,
} from './payments.ts';
import { RollupSession, sleep } from './rollup-session.ts';
import { SignedMessages } from './signed-messages.ts';
import { openTrustedLedgers } from './trusted-ledgers.ts';

/** Where a localnet that runs in this process is reached. */
interface EmbeddedPlaces {
  readonly options: Pick<KitOptions, 'url' | 'base' | 'rollup'>;
  close(): Promise<void>;
}

/** What `spl-private-payments/localnet` has for it. */
interface LocalnetEntry {
  readonly startLocalnet: () => Promise<{
    readonly urls: { readonly service: string; readonly base: string; readonly rollup: string };
    fund(wallet: string, gift: { readonly sol: number; readonly tokens: bigint }): Promise<void>;
    close(): Promise<void>;
  }>;
}

/** Its name is not known to bundlers: who names addresses does not carry a ledger with them. */
const LOCALNET_ENTRY: string = 'spl-private-payments/localnet';

/** What each wallet of the client begins with: 10 SOL and 100 USDC, in base units. */
const GIFT = { sol: 10, tokens: 100_000_000n } as const;

/**
 * Starts a localnet in this process.
 *
 * @param wallets whom to give SOL and USDC, base58.
 * @throws {TypeError} where this installation has none; {PaymentsError} with the code of what keeps it from
 *   starting: ENGINE_UNAVAILABLE, PROGRAM_BINARIES_MISSING, PORT_IN_USE.
 */
async function startEmbedded(wallets: readonly string[]): Promise<EmbeddedPlaces> {
  const { startLocalnet } = await loadLocalnet();
  const localnet = await asPaymentsErrors(startLocalnet);
  const { urls, close } = localnet;
  try {
    for (const wallet of wallets) await asPaymentsErrors(() => localnet.fund(wallet, GIFT));
  } catch (error) {
    await close();
    throw error;
  }
  return { options: { url: urls.service, base: urls.base, rollup: urls.rollup }, close };
}

async function loadLocalnet(): Promise<LocalnetEntry> {
  try {
    return (await import(LOCALNET_ENTRY)) as LocalnetEntry;
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    throw new TypeError(
      'embedded: true needs spl-private-payments/localnet, which this installation does not have; start the program and name url, base and rollup instead',
      { cause },
    );
  }
}

/** Codes of Node for a module, or an entry point of a package, that is not there. */
const NOT_FOUND: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NOT_FOUND.has(error.code);

/** The kind of each limit. The compiler reports a missing one. */
const KINDS: { readonly [Name in keyof PaymentLimits]-?: 'number' | 'list' } = {
  maxAmount: 'number',
  maxLamports: 'number',
  mints: 'list',
  recipients: 'list',
  validators: 'list',
  programs: 'list',
};

/**
 * Validates and copies the limits. An invalid limit such as `NaN` would otherwise allow everything.
 *
 * @param given undefined for no limits.
 * @throws {TypeError} for an unknown limit, or a value of the wrong kind.
 */
export function readLimits(given: PaymentLimits | undefined): PaymentLimits {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null || Symbol.iterator in given) {
    throw new TypeError('limits must be an object with the limits by their names');
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
    throw new TypeError(`limits.${name} must be a list of texts`);
  }
  if (typeof value === 'bigint' && value >= 0n) return value;
  throw new TypeError(`limits.${name} must be a bigint of 0n or more, such as 1_500_000n`);
}

/** A client with a wallet: `identity`, or `payer` without an identity. */
type ClientWithWallet =
  | { readonly identity: TransactionSigner; readonly payer?: TransactionSigner }
  | { readonly identity?: TransactionSigner; readonly payer: TransactionSigner };

/** What the plugin adds. */
export interface ClientWithPayments {
  readonly payments: Payments;
}

/** The plugin for a running service. */
type Plugin = <Client extends ClientWithWallet>(client: Client) => ExtendedClient<Client, ClientWithPayments>;

/** The plugin that starts a localnet first. */
type AsyncPlugin = <Client extends ClientWithWallet>(
  client: Client,
) => Promise<ExtendedClient<Client, ClientWithPayments>>;

/**
 * A plugin for `createClient()` of @solana/kit that adds `client.payments`.
 *
 * The service builds transactions and is not trusted. Each transaction is verified against the request with
 * nodes that the caller trusts, and only then signed.
 *
 * @throws {TypeError} if an option is not valid.
 */
export function privatePayments(options: KitOptions): Plugin;
/**
 * The same with its own localnet, on which the wallets of the client have 10 SOL and 100 USDC.
 * `client.payments.close()` ends it.
 *
 * @throws {TypeError} if an option is not valid, or as a rejection, if there is no localnet to start;
 *   {PaymentsError} as a rejection, if it does not start.
 */
export function privatePayments(options: EmbeddedOptions): AsyncPlugin;
export function privatePayments(options: KitOptions | EmbeddedOptions): Plugin | AsyncPlugin {
  const limits = readLimits(options.limits);
  if ('embedded' in options) {
    return (async (client: ClientWithWallet) => {
      const wallets = [client.identity, client.payer].flatMap((signer) => signer?.address ?? []);
      const { options: places, close } = await startEmbedded([...new Set<string>(wallets)]);
      return extend(client, { ...options, ...places, limits }, close);
    }) as AsyncPlugin;
  }
  return ((client: ClientWithWallet) =>
    extend(client, { ...options, limits }, () => Promise.resolve())) as Plugin;
}

/** Shared by all clients of the process, so that two clients of one wallet never sign the same bytes. */
const SIGNED = new SignedMessages();

function extend(client: ClientWithWallet, options: KitOptions, stop: () => Promise<void>): object {
  const { identity, payer } = client;
  const wallet = identity ?? payer;
  if (wallet === undefined) throw new TypeError('the client needs a payer or an identity before payments');
  const service = createPrivatePayments({ url: options.url, fetch: options.fetch });
  const { clusters, close } = openTrustedLedgers(options);
  const session = new RollupSession(clusters.resolve(undefined), wallet, systemClock, options.agreeToText);
  const checked = new CheckedPayments({
    service,
    cluster: options.cluster,
    clusters,
    local: createLocalOperations(clusters, sponsorOf(options)),
    session,
    signers: payer === undefined || payer.address === wallet.address ? [wallet] : [wallet, payer],
    limits: options.limits ?? {},
    accept: new Set(options.accept),
    watchRecipients: options.watchRecipients,
    signed: SIGNED,
    ledgers: { base: String(options.base), ephemeral: String(options.rollup) },
    waiting: { clock: systemClock, sleep },
  });
  const payments = createPayments(checked, wallet, async () => {
    session.forget();
    close();
    await stop();
  });
  return extendClient(client, { payments });
}

function sponsorOf({ sponsor }: KitOptions): Address | null {
  if (sponsor === undefined) return null;
  const text: string = sponsor;
  if (isAddress(text)) return text;
  throw new TypeError('sponsor must be a base58 Solana address');
}
