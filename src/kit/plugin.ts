import { extendClient, type ExtendedClient, type TransactionSigner } from '@solana/kit';
import { createPrivatePayments } from '../client/private-payments.ts';
import { systemClock } from '../ports/clock.ts';
import { isAddress, type Address } from '../solana/address.ts';
import { CheckedPayments } from './checked-payments.ts';
import { startEmbedded } from './embedded.ts';
import { createLocalOperations } from './local-operations.ts';
import type { EmbeddedOptions, KitOptions } from './options.ts';
import { createPayments, type Payments } from './payments.ts';
import { readLimits } from './read-limits.ts';
import { RollupSession } from './rollup-session.ts';
import { SignedMessages } from './signed-messages.ts';
import { sleep } from './sleep.ts';
import { openTrustedLedgers } from './trusted-ledgers.ts';

/** A client that has a wallet: `identity`, or `payer` where it has no identity. */
type ClientWithWallet =
  | { readonly identity: TransactionSigner; readonly payer?: TransactionSigner }
  | { readonly identity?: TransactionSigner; readonly payer: TransactionSigner };

/** What the plugin adds. */
export interface ClientWithPayments {
  readonly payments: Payments;
}

/** The plugin for a service that runs somewhere. */
type Plugin = <Client extends ClientWithWallet>(client: Client) => ExtendedClient<Client, ClientWithPayments>;

/** The plugin that starts a localnet first. */
type AsyncPlugin = <Client extends ClientWithWallet>(
  client: Client,
) => Promise<ExtendedClient<Client, ClientWithPayments>>;

/**
 * A plugin for `createClient()` of @solana/kit that adds `client.payments`.
 *
 * The service builds and is not trusted: every transaction is compared, byte by byte, with what was asked
 * for, by asking nodes that the caller trusts, and only then signed.
 *
 * @throws {TypeError} if an option is not valid.
 */
export function privatePayments(options: KitOptions): Plugin;
/**
 * The same with a localnet of its own, on which the wallets of the client have 10 SOL and 100 USDC, and
 * which `client.payments.close()` ends.
 *
 * @throws {TypeError} if an option is not valid, and as a rejection, where there is no localnet to start;
 *   {PaymentsError} as a rejection, where it does not start.
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

/** One for all clients of the process: two of one wallet are never to sign the same bytes. */
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
