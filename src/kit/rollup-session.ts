import type { MessagePartialSigner, TransactionSigner } from '@solana/kit';
import type { Chain, RollupAuth } from '../chain/chain.ts';
import { isLoginOf, readChallenge } from '../chain/login-challenge.ts';
import { PaymentsError } from '../client/payments-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { isPlainText } from '../solana/plain-text.ts';
import { asPaymentsErrors } from './local-operations.ts';
import { sleep } from './sleep.ts';

/** Asked before the wallet signs a text of the rollup that is not known as its login; true to sign it. */
export type AgreeToText = (text: string) => boolean | Promise<boolean>;

/** How long before it expires a token is renewed, ms: a payment is checked and sent within it. */
const RENEWAL_MS = 60_000;

/**
 * A login is the wallet and a second, and each is taken once: a rollup gives those of seconds to come to a
 * wallet that logs in more often, some of them and no more. So such a login is tried again when time has
 * passed.
 */
const LOGIN_PAUSE_MS = 1_000;
const LOGIN_TRIES_MAX = 8;

/** Others may have logged the wallet in meanwhile, which voids the texts given before. */
const PRESENT_LOGIN_TRIES_MAX = 2;

/** The login of a wallet at the rollup that the caller trusts. Its token is in memory alone. */
export class RollupSession {
  readonly #chain: Chain;
  readonly #wallet: TransactionSigner;
  readonly #clock: Clock;
  readonly #agree: AgreeToText;
  readonly #pause: (ms: number) => Promise<void>;
  #token: Promise<string> | null = null;
  #renewsAt = Infinity;

  /** @param agree left out, no text is signed but the login of this wallet, of now. */
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
   * The bearer token of the wallet: logs in at the first call and a minute before the token expires.
   *
   * @returns undefined where the rollup has no login, or the wallet signs no texts.
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
   * Reads with the token, and once more with a new one where the rollup does not accept it: it may have
   * forgotten it before its time. Not for sending, which is never repeated by itself.
   *
   * @throws {PaymentsError} as {@link token}; whatever the read throws.
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

  /** Forgets the token, so that the next call logs in anew. */
  forget(): void {
    this.#token = null;
    this.#renewsAt = Infinity;
  }

  async #logIn(wallet: TransactionSigner & MessagePartialSigner): Promise<string> {
    const auth = this.#chain.rollup?.auth;
    const owner = wallet.address as string as Address;
    if (auth == null) throw new PaymentsError('AUTH_UNAVAILABLE', 'The rollup has no login');
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

  /** How often a login is tried that is refused with this text. */
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
   * A signature over any other text may say, in the name of the wallet, whatever the rollup wants said.
   *
   * @throws {PaymentsError} CHALLENGE_REFUSED; UPSTREAM_* as the base ledger fails.
   */
  async #requireOwnLogin(owner: Address, text: string): Promise<void> {
    if (await isLoginOf(owner, text, this.#chain, this.#clock)) return;
    if (isPlainText(text) && (await this.#agree(text))) return;
    throw new PaymentsError(
      'CHALLENGE_REFUSED',
      `The rollup wants ${owner} to sign a text that is no login of this wallet, of now: it was not signed. Look whether the rollup is the one you mean, and whether the clock of this machine is right`,
      { details: { challenge: text } },
    );
  }
}

/** Seconds since 1970 are below this number until the year 5138, and milliseconds above it since 1973. */
const SECONDS_MAX = 100_000_000_000;

/**
 * When a token expires, ms since 1970. Rollups write seconds, ms or a date; never, where it cannot be read.
 */
function expiryOf(expiresAt: number | string | null): number {
  if (expiresAt === null) return Infinity;
  const number = typeof expiresAt === 'number' ? expiresAt : Number(expiresAt.trim() || NaN);
  // oxlint-disable-next-line no-restricted-globals -- reads a date, not the clock
  if (Number.isNaN(number)) return Date.parse(String(expiresAt)) || Infinity;
  return number < SECONDS_MAX ? number * 1_000 : number;
}

const signsTexts = (wallet: TransactionSigner): wallet is TransactionSigner & MessagePartialSigner =>
  'signMessages' in wallet;
