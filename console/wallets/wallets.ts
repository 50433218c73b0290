import { computed, signal, type ReadonlySignal } from '../parts/signal.ts';
import type { Keypair } from './keypair.ts';
import type { PrivatePayments } from '../../src/client/private-payments.ts';
import { login, LoginRefused, ofThisMinute, signChallenge, type Login } from './login.ts';

/** A test wallet of this tab. */
export interface Wallet {
  readonly name: string;
  readonly key: Keypair;
  /** Null until it has logged in, and once its token counts as gone. */
  readonly login: Login | null;
}

/** A challenge, and a wallet's signature over it, base58. */
interface SignedChallenge {
  readonly challenge: string;
  readonly signature: string;
}

/** How long before it expires a token counts as gone, ms: a payment is checked and sent within it. */
const RENEWAL_MS = 60_000;

/** The longest that a timer of browsers waits, ms (HTML: 32 bits, signed); what is longer runs at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The wallets of this tab. Keys and tokens are in its memory alone. */
export interface Wallets {
  readonly all: ReadonlySignal<readonly Wallet[]>;
  /** Addresses to names. */
  readonly names: ReadonlySignal<ReadonlyMap<string, string>>;
  add(name: string, key: Keypair): void;
  find(address: string): Wallet | null;
  /** The token of a wallet; null if it has none, or one that is about to expire. */
  tokenOf(address: string): string | null;
  /**
   * Logs a wallet in: its key signs the challenge, if that is for it and of this minute.
   *
   * @param shown the challenge that someone has read; one is asked for where there is none. Of one that is older
   *   than a minute the same text of now is signed.
   * @throws {LoginRefused} if the text is not to be signed.
   * @throws {PaymentsError} as the service fails.
   */
  logIn(address: string, shown?: string): Promise<void>;
  /**
   * A wallet's signature over a challenge, if that is for it. Of one that is older than a minute the same text of now
   * is signed.
   *
   * @param shown the challenge that someone has read.
   * @param ask asks for a new one.
   * @throws {LoginRefused} if the text is not to be signed, or this tab has no key of the wallet.
   */
  sign(address: string, shown: string, ask: () => Promise<string>): Promise<SignedChallenge>;
  logOut(address: string): void;
  clear(): void;
}

/**
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
  // A login that no one renews ends by itself: no one is shown as an owner without a token.
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
