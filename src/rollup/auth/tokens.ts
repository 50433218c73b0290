import { createHmac, timingSafeEqual } from 'node:crypto';
import { tryParseJson } from '../../json/try-parse-json.ts';
import type { Clock } from '../../ports/clock.ts';
import { isAddress, type Address } from '../../solana/address.ts';

/** How long a token is good for, ms. */
export const TOKEN_LIFETIME_MS = 24 * 60 * 60_000;

/** Longest token that is looked at, characters; ours have about 200. */
const TOKEN_MAX = 1_024;

/** Good tokens whose signatures are not checked again. They come with every call and event. */
const CHECKED_MAX = 10_000;

/** Bytes of the secret at least (RFC 7518 section 3.2: no shorter than the hash). */
const SECRET_BYTES_MIN = 32;

/**
 * The first part of every token. No other is accepted, so nobody can talk us into another algorithm, or none.
 */
const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

/** A token and when it expires. */
export interface IssuedToken {
  readonly token: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

/**
 * Bearer tokens that say who their holder is: JSON Web Tokens with the claims `pubkey`, `iat` and `exp`, the
 * claim and the form clients of MagicBlock's service know. Signed with HMAC-SHA256; nothing has to be
 * remembered.
 */
export class Tokens {
  readonly #secret: Uint8Array;
  readonly #clock: Clock;
  readonly #checked = new Map<string, Claims>();
  /** The latest time the clock has told, Unix ms. */
  #latest = 0;

  /** @param secret at least 32 bytes that nobody else has; with another one all tokens are void. */
  constructor(secret: Uint8Array, clock: Clock) {
    if (secret.length < SECRET_BYTES_MIN) throw new TypeError('the secret is too short');
    this.#secret = secret;
    this.#clock = clock;
  }

  issue(pubkey: Address): IssuedToken {
    const nowSeconds = Math.floor(this.#now() / 1_000);
    const exp = nowSeconds + TOKEN_LIFETIME_MS / 1_000;
    const signed = `${HEADER}.${encode({ pubkey, iat: nowSeconds, exp })}`;
    return { token: `${signed}.${this.#sign(signed)}`, expiresAt: exp * 1_000 };
  }

  /** Whose token it is; undefined for one that is not ours, or not good any more. */
  holderOf(token: string): Address | undefined {
    const now = this.#now();
    const claims = this.#checked.get(token) ?? this.#check(token);
    return claims === undefined || claims.exp * 1_000 <= now ? undefined : claims.pubkey;
  }

  /** What a token says that we have signed; undefined for any other. */
  #check(token: string): Claims | undefined {
    if (token.length > TOKEN_MAX || !token.startsWith(`${HEADER}.`)) return undefined;
    const signedLength = token.lastIndexOf('.');
    const given = Buffer.from(token.slice(signedLength + 1));
    const expected = Buffer.from(this.#sign(token.slice(0, signedLength)));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const claims = decode(token.slice(HEADER.length + 1, signedLength));
    if (claims === undefined) return undefined;
    if (this.#checked.size >= CHECKED_MAX) this.#checked.clear();
    this.#checked.set(token, claims);
    return claims;
  }

  /**
   * Never goes back, whatever the clock does: what has expired stays so, and what is given then is good as
   * long.
   */
  #now(): number {
    this.#latest = Math.max(this.#latest, this.#clock.now());
    return this.#latest;
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }
}

interface Claims {
  readonly pubkey: Address;
  /** Unix seconds, as RFC 7519 counts. */
  readonly exp: number;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Claims that we have signed; still, a secret may have been used for something else. */
function decode(part: string): Claims | undefined {
  const claims = tryParseJson(Buffer.from(part, 'base64url').toString());
  const { pubkey, exp } = Object(claims) as Record<string, unknown>;
  return typeof pubkey === 'string' && isAddress(pubkey) && typeof exp === 'number' && Number.isFinite(exp)
    ? { pubkey, exp }
    : undefined;
}
