import { computed, signal, type ReadonlySignal } from '../parts/signal.ts';
import type { Keypair } from './keypair.ts';
import type { PrivatePayments } from '../../src/client/private-payments.ts';
import { login, LoginRefused, ofThisMinute, signChallenge, type Login } from './login.ts';

/** A test wallet of this tab. */
export interface Wallet {
  readonly name: string;
  readonly key: Keypair;
  /** The login; null before it and after its token has expired. */
  readonly login: Login | null;
}

/** A challenge and a wallet's signature, in base58. */
interface SignedChallenge {
  readonly challenge: string;
  readonly signature: string;
}

/** Time before its expiry at which a token counts as expired, ms. Leaves time to check and send a payment. */
const RENEWAL_MS = 60_000;

/** Maximum delay of a browser timer, ms (HTML: signed 32 bits). Longer delays fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The wallets of this tab. Keys and tokens stay in memory. */
export interface Wallets {
  readonly all: ReadonlySignal<readonly Wallet[]>;
  /** Names by address. */
  readonly names: ReadonlySignal<ReadonlyMap<string, string>>;
  add(name: string, key: Keypair): void;
  find(address: string): Wallet | null;
  /** The token of a wallet; null if it has none, or if it expires soon. */
  tokenOf(address: string): string | null;
  /**
   * Logs a wallet in.
   *
   * @param shown the challenge that the user has read; a new one if absent. If it is older than a minute, a
   *   new one with the same text is signed.
   * @throws {LoginRefused} if the text must not be signed.
   * @throws {PaymentsError} if the service rejects the login.
   */
  logIn(address: string, shown?: string): Promise<void>;
  /**
   * Signs a challenge with a wallet. If it is older than a minute, signs a new one with the same text.
   *
   * @param shown the challenge that the user has read.
   * @param ask requests a new challenge.
   * @throws {LoginRefused} if the text must not be signed, or this tab does not have the wallet's key.
   */
  sign(address: string, shown: string, ask: () => Promise<string>): Promise<SignedChallenge>;
  logOut(address: string): void;
  clear(): void;
}

/**
 * Creates an empty list of wallets.
 *
 * @param nowMs ms since 1970.
 * @param after calls `then` after `ms`.
 */
export function createWallets(
  api: PrivatePayments,
  nowMs: () => number,
  after: (ms: number, then: () => void) => void,
): Wallets {
  const all = signal<readonly Wallet[]>([]);
  const names = computed(() => new Map(all.value.map(({ name, key }) => [key.address, name])));
  const find = (address: string): Wallet | null =>
    all.peek().find(({ key }) => key.address === address) ?? null;
  const keyOf = (address: string): Keypair => {
    const wallet = find(address);
    if (wallet === null) throw new LoginRefused('This tab does not have the key of that wallet.');
    return wallet.key;
  };
  const change = (address: string, session: Login | null): void => {
    all.value = all
      .peek()
      .map((wallet) =>
        wallet.key.address === address ? { name: wallet.name, key: wallet.key, login: session } : wallet,
      );
  };
  // Removes a login when it expires. Otherwise the page would show an owner without a token.
  const expire = (address: string, session: Login): void => {
    if (session.expiresAtMs === null || find(address)?.login !== session) return;
    const leftMs = session.expiresAtMs - RENEWAL_MS - nowMs();
    if (leftMs <= 0) change(address, null);
    else after(Math.min(leftMs, TIMER_MS_MAX), () => expire(address, session));
  };
  return {
    all,
    names,
    find,
    add: (name, key) => {
      all.value = [
        ...all.peek().filter((wallet) => wallet.key.address !== key.address),
        { name, key, login: null },
      ];
    },
    tokenOf: (address) => {
      const session = find(address)?.login ?? null;
      if (session === null) return null;
      return (session.expiresAtMs ?? Infinity) - RENEWAL_MS > nowMs() ? session.token : null;
    },
    logIn: async (address, shown) => {
      const key = keyOf(address);
      const ask = async (): Promise<string> => (await api.challenge({ pubkey: address })).challenge;
      const challenge = shown === undefined ? await ask() : await ofThisMinute(shown, nowMs(), ask);
      const session = await login(api, key, challenge, nowMs());
      change(address, session);
      expire(address, session);
    },
    sign: async (address, shown, ask) => {
      const key = keyOf(address);
      const challenge = await ofThisMinute(shown, nowMs(), ask);
      return { challenge, signature: await signChallenge(key, challenge, nowMs()) };
    },
    logOut: (address) => change(address, null),
    clear: () => {
      all.value = [];
    },
  };
}
