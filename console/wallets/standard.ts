import { isAddress } from '../parts/encodings.ts';

/** A wallet of the browser that has announced itself to the page. */
export interface FoundWallet {
  /** The name that the wallet gives itself. Not trusted. */
  readonly name: string;
  /**
   * Requests the account of the wallet.
   *
   * @param onChange called with the wallet's new account; null if it has none.
   * @returns the address of its first Solana account.
   * @throws {Error} if it has no Solana account, or with the wallet's message if it rejects the request.
   */
  connect(onChange: (address: string | null) => void): Promise<string>;
  /**
   * Asks the wallet to sign a transaction without sending it. Null if the wallet cannot do that.
   *
   * @param address an account of the connected wallet.
   * @param chain the chain of the transaction (`solana:mainnet`), for the wallet's own checks.
   * @returns the signed transaction. Not trusted.
   * @throws {Error} with the wallet's message if it rejects the request.
   */
  readonly sign: ((address: string, transaction: Uint8Array, chain: string) => Promise<Uint8Array>) | null;
}

/** Maximum number of listed wallets. */
const WALLETS_MAX = 24;

/**
 * The used part of a wallet (wallet-standard 1.0, `Wallet`). It is not trusted, and any part may be missing.
 */
interface Announced {
  readonly name: unknown;
  readonly chains: readonly unknown[];
  readonly features: {
    readonly 'standard:connect': { connect(): Promise<{ readonly accounts: unknown }> };
    readonly 'standard:events'?: {
      on(event: 'change', listener: (change: { readonly accounts?: unknown }) => void): () => void;
    };
    readonly 'solana:signTransaction'?: {
      signTransaction(input: {
        readonly account: unknown;
        readonly transaction: Uint8Array;
        readonly chain?: string;
      }): Promise<readonly { readonly signedTransaction: unknown }[]>;
    };
  };
}

/** The used part of a wallet's account. */
interface Account {
  readonly address?: unknown;
  readonly chains?: unknown;
}

/**
 * Finds the wallets of the browser with the two events of the wallet standard, now and later.
 *
 * @param page the window.
 * @param onFound called with all wallets whenever they change.
 * @returns a function that ends the search.
 */
export function findWallets(
  page: EventTarget,
  onFound: (wallets: readonly FoundWallet[]) => void,
): () => void {
  const found = new Map<unknown, FoundWallet>();
  const tell = (): void => onFound([...found.values()]);
  const register = (...announced: readonly unknown[]): (() => void) => {
    for (const wallet of announced) {
      if (found.size >= WALLETS_MAX) break;
      const read = found.get(wallet) ?? readWallet(wallet);
      if (read !== null) found.set(wallet, read);
    }
    tell();
    return () => {
      for (const wallet of announced) found.delete(wallet);
      tell();
    };
  };
  const api = Object.freeze({ register });
  const hear = (event: Event): void => (event as CustomEvent<(to: typeof api) => void>).detail(api);
  page.addEventListener('wallet-standard:register-wallet', hear);
  page.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }));
  return () => page.removeEventListener('wallet-standard:register-wallet', hear);
}

/** Reads an announced wallet; null if it does not support Solana or connecting. */
function readWallet(announced: unknown): FoundWallet | null {
  try {
    const { name, chains, features } = announced as Announced;
    const { 'standard:connect': connecting, 'standard:events': events } = features;
    const { 'solana:signTransaction': signing } = features;
    if (typeof name !== 'string' || !isForSolana({ chains }) || typeof connecting.connect !== 'function')
      return null;
    let accounts: unknown = [];
    const connect = async (onChange: (address: string | null) => void): Promise<string> => {
      ({ accounts } = await connecting.connect());
      const address = addressIn(accounts);
      if (address === null) throw new Error('The wallet has no Solana account.');
      events?.on('change', ({ accounts: changed }) => {
        if (changed === undefined) return;
        accounts = changed;
        onChange(addressIn(changed));
      });
      return address;
    };
    const sign = async (address: string, transaction: Uint8Array, chain: string): Promise<Uint8Array> => {
      const account = (accounts as readonly Account[]).find((each) => each?.address === address);
      // A wallet that does not know the chain would reject it, even though it can sign.
      const knows = Array.isArray(account?.chains) && account.chains.includes(chain);
      const [signed] =
        (await signing?.signTransaction({ account, transaction, ...(knows && { chain }) })) ?? [];
      if (signed?.signedTransaction instanceof Uint8Array) return signed.signedTransaction;
      throw new Error('The wallet returned no transaction.');
    };
    return { name, connect, sign: typeof signing?.signTransaction === 'function' ? sign : null };
  } catch {
    return null;
  }
}

/** The address of the first Solana account; null if there is none. */
function addressIn(accounts: unknown): string | null {
  if (!Array.isArray(accounts)) return null;
  for (const account of accounts as readonly (Account | null | undefined)[]) {
    // Reads each member once, because a getter may return a different value next time.
    const { address, chains } = account ?? {};
    if (typeof address === 'string' && isAddress(address) && isForSolana({ chains })) return address;
  }
  return null;
}

const isForSolana = ({ chains }: Pick<Account, 'chains'>): boolean =>
  Array.isArray(chains) && chains.some((chain) => String(chain).startsWith('solana:'));
