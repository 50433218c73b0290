import type { MessagePartialSigner, TransactionSigner } from '@solana/kit';
import type { Chain, RollupAuth } from '../chain/chain.ts';
import { isLoginOf, readChallenge } from '../chain/login-challenge.ts';
import { PaymentsError } from '../client/payments-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { isPlainText } from '../solana/plain-text.ts';
import { asPaymentsErrors } from './local-operations.ts';

/** Function that is called before the wallet signs an unknown rollup text. Returns true to sign it. */
export type AgreeToText = (text: string) => boolean | Promise<boolean>;

/** Time before expiry at which a token is renewed, in ms. A payment takes less time. */
const RENEWAL_MS = 60_000;

/**
 * Pause between login attempts, in ms, and their maximum number. A challenge contains the wallet and a time
 * in seconds, and works once. For more logins per second, the rollup uses the next few seconds.
 */
const LOGIN_PAUSE_MS = 1_000;
const LOGIN_TRIES_MAX = 8;

/**
 * Maximum number of attempts to log in. An attempt fails if the wallet logs in elsewhere in the same second,
 * which invalidates the challenge.
 */
const PRESENT_LOGIN_TRIES_MAX = 2;

/** A wallet's login session on the caller's rollup. The token is kept only in memory. */
export class RollupSession {
  readonly #chain: Chain;
  readonly #wallet: TransactionSigner;
  readonly #clock: Clock;
  readonly #agree: AgreeToText;
  readonly #pause: (ms: number) => Promise<void>;
  #token: Promise<string> | null = null;
  #renewsAt = Infinity;

  /** @param agree whether to sign a text; by default only current logins for this wallet are signed. */
  constructor(
    chain: Chain,
    wallet: TransactionSigner,
    clock: Clock,
    agree: AgreeToText = () => false,
    pause = sleep,
  ) {
    this.#chain = chain;
    this.#wallet = wallet;
    this.#clock = clock;
    this.#agree = agree;
    this.#pause = pause;
  }

  /**
   * Returns the wallet's bearer token. Logs in at the first call and a minute before the token expires.
   *
   * @returns undefined if the rollup does not support logins, or the wallet cannot sign texts.
   * @throws {PaymentsError} AUTH_REFUSED, UPSTREAM_*; CHALLENGE_REFUSED for a text that is not signed.
   */
  async token(): Promise<string | undefined> {
    if (this.#chain.rollup?.auth == null || !signsTexts(this.#wallet)) return undefined;
    if (this.#clock.now() >= this.#renewsAt) this.forget();
    const token = (this.#token ??= this.#logIn(this.#wallet));
    try {
      return await token;
    } catch (error) {
      if (this.#token === token) this.forget();
      throw error;
    }
  }

  /**
   * Reads with the token, and retries once with a new one if the rollup rejects it. Do not use it to send,
   * because sending is never repeated automatically.
   *
   * @throws {PaymentsError} as {@link token}; any error of the read.
   */
  async read<T>(reading: (token: string | undefined) => Promise<T>): Promise<T> {
    const token = await this.token();
    const used = this.#token;
    try {
      return await reading(token);
    } catch (error) {
      const isRefused = error instanceof PaymentsError && error.code === 'AUTH_REFUSED';
      if (!isRefused || token === undefined) throw error;
      if (this.#token === used) this.forget();
      return await reading(await this.token());
    }
  }

  /** Deletes the token. The next call logs in again. */
  forget(): void {
    this.#token = null;
    this.#renewsAt = Infinity;
  }

  async #logIn(wallet: TransactionSigner & MessagePartialSigner): Promise<string> {
    const auth = this.#chain.rollup?.auth;
    const owner = wallet.address as string as Address;
    if (auth == null)
      throw new PaymentsError(
        'AUTH_UNAVAILABLE',
        'The rollup does not support logins: pass the URL of a rollup that does',
      );
    for (let tries = 1; ; tries++) {
      const challenge = await asPaymentsErrors(() => auth.challenge(owner));
      try {
        return await asPaymentsErrors(() => this.#answer(auth, wallet, challenge));
      } catch (error) {
        const isRefused = error instanceof PaymentsError && error.code === 'AUTH_REFUSED';
        if (!isRefused || tries >= this.#triesMaxOf(challenge)) throw error;
        await this.#pause(LOGIN_PAUSE_MS);
      }
    }
  }

  /** Returns the maximum number of login attempts if the rollup rejects this challenge. */
  #triesMaxOf(challenge: string): number {
    const { second = 0 } = readChallenge(challenge) ?? {};
    return second * 1_000 > this.#clock.now() ? LOGIN_TRIES_MAX : PRESENT_LOGIN_TRIES_MAX;
  }

  async #answer(
    auth: RollupAuth,
    wallet: TransactionSigner & MessagePartialSigner,
    challenge: string,
  ): Promise<string> {
    const owner = wallet.address as string as Address;
    await this.#requireOwnLogin(owner, challenge);
    const content = new TextEncoder().encode(challenge);
    const [signatures] = await wallet.signMessages([{ content, signatures: {} }]);
    const signature = encodeBase58(signatures?.[wallet.address] ?? new Uint8Array());
    const { token, expiresAt } = await auth.login({ owner, challenge, signature });
    this.#renewsAt = expiryOf(expiresAt) - RENEWAL_MS;
    return token;
  }

  /**
   * Checks that the text is a login, because the wallet must not sign other texts from the rollup.
   *
   * @throws {PaymentsError} CHALLENGE_REFUSED; UPSTREAM_* if the base ledger fails.
   */
  async #requireOwnLogin(owner: Address, text: string): Promise<void> {
    if (await isLoginOf(owner, text, this.#chain, this.#clock)) return;
    if (isPlainText(text) && (await this.#agree(text))) return;
    throw new PaymentsError(
      'CHALLENGE_REFUSED',
      `The rollup asks ${owner} to sign a text that is not a current login of this wallet, so it was not signed. Check that the rollup is the right one, and that the clock of this machine is correct`,
      { details: { challenge: text } },
    );
  }
}

/** Expiry values below this are Unix seconds; others are Unix milliseconds. */
const SECONDS_MAX = 100_000_000_000;

/** Parses an expiry (in seconds, in ms or as a date) to Unix ms. Returns Infinity if it is unreadable. */
function expiryOf(expiresAt: number | string | null): number {
  if (expiresAt === null) return Infinity;
  const number = typeof expiresAt === 'number' ? expiresAt : Number(expiresAt.trim() || NaN);
  // oxlint-disable-next-line no-restricted-globals -- reads a date, not the clock
  if (Number.isNaN(number)) return Date.parse(String(expiresAt)) || Infinity;
  return number < SECONDS_MAX ? number * 1_000 : number;
}

const signsTexts = (wallet: TransactionSigner): wallet is TransactionSigner & MessagePartialSigner =>
  'signMessages' in wallet;

/** Resolves after `ms` milliseconds. */
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
