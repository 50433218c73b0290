import type { MessagePartialSigner, TransactionSigner } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import { PaymentsError } from '../client/payments-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { asPaymentsErrors } from './local-operations.ts';

/**
 * Letters a challenge may have; it begins with a visible one or a space. A text of them is never the
 * message of a transaction: its first byte would ask for 32 signatures and more, whose keys alone are 1,024
 * bytes.
 */
const PLAIN_TEXT = /^[\x20-\x7e][\x20-\x7e\r\n\t]{0,1023}$/;

/** How long before it expires a token is renewed, ms: a payment is checked and sent within it. */
const RENEWAL_MS = 60_000;

/** The login of a wallet at the rollup that the caller trusts. Its token is in memory alone. */
export class RollupSession {
  readonly #chain: Chain;
  readonly #wallet: TransactionSigner;
  readonly #clock: Clock;
  #token: Promise<string> | null = null;
  #renewsAt = Infinity;

  constructor(chain: Chain, wallet: TransactionSigner, clock: Clock) {
    this.#chain = chain;
    this.#wallet = wallet;
    this.#clock = clock;
  }

  /**
   * The bearer token of the wallet: logs in at the first call and a minute before the token expires.
   *
   * @returns undefined where the rollup has no login, or the wallet signs no texts.
   * @throws {PaymentsError} AUTH_REFUSED, UPSTREAM_*; ANSWER_UNUSABLE for a challenge that is no plain text.
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
    return await asPaymentsErrors(async () => {
      const challenge = await auth.challenge(owner);
      if (!PLAIN_TEXT.test(challenge)) {
        throw new PaymentsError('ANSWER_UNUSABLE', 'The challenge is no plain text: it is not signed');
      }
      const content = new TextEncoder().encode(challenge);
      const [signatures] = await wallet.signMessages([{ content, signatures: {} }]);
      const signature = encodeBase58(signatures?.[wallet.address] ?? new Uint8Array());
      const { token, expiresAt } = await auth.login({ owner, challenge, signature });
      this.#renewsAt = expiryOf(expiresAt) - RENEWAL_MS;
      return token;
    });
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
