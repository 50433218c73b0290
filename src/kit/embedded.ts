import { asPaymentsErrors } from './local-operations.ts';
import type { KitOptions } from './options.ts';

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
export async function startEmbedded(wallets: readonly string[]): Promise<EmbeddedPlaces> {
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
